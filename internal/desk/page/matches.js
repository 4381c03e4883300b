(() => {
	"use strict";
	const byID = (id) => document.getElementById(id);
	// ask calls a function of the program that checks and plays. The program runs in a worker, which loads when it is wanted.
	let worker = null;
	const ask = (doing, name, input, files) => new Promise((done) => {
		window.deskSay(worker ? doing : doing + " First a program loads.");
		worker ||= new Worker("worker.js");
		worker.onerror = () => window.deskSay("The program that checks and plays matches cannot start.", true);
		const {port1, port2} = new MessageChannel();
		port1.onmessage = (e) => done(JSON.parse(e.data));
		worker.postMessage({name, input: JSON.stringify(input), files}, [port2]);
	});

	// Checking. The record of the address is kept for letters that come later; another record replaces it.
	let record = [];
	const fetchRecord = async (name) => {
		const answer = await fetch("../" + name + ".jsonl");
		if (!answer.ok) {
			window.deskSay("The record " + name + ".jsonl is not there: " + answer.status + ".", true);
			return;
		}
		record = [new Uint8Array(await answer.arrayBuffer())];
		await startCheck([]);
	};
	const check = async (files) => {
		const given = [];
		for (const f of files) given.push(new Uint8Array(await f.arrayBuffer()));
		if (given.some((bytes) => bytes[0] === 0x7b)) record = []; // A record begins with a brace.
		const said = await ask("The match is being checked.", "matchesVerify", {}, [...given, ...record]);
		const found = byID("found"), history = byID("history");
		found.hidden = false;
		found.textContent = said.error || said.Text;
		found.classList.toggle("bad", !said.Good);
		const verdict = said.Good ? "The match is checked: everything agrees." : "The match is not as it should be.";
		window.deskSay(verdict, !said.Good);
		history.hidden = true;
		if (!said.Good) return;
		const page = await ask(verdict, "matchesHistory", {});
		history.hidden = !page || !!page.error;
		if (history.hidden) return;
		const loaded = new Promise((done) => history.onload = done);
		history.srcdoc = page;
		await loaded;
	};
	// deskChecked ends when the history of the last checked match is shown.
	const startCheck = (files) => window.deskChecked = check(files);
	byID("files").onchange = () => startCheck([...byID("files").files]);
	addEventListener("dragover", (e) => e.preventDefault());
	addEventListener("drop", (e) => {
		e.preventDefault();
		if (!byID("start").hidden && e.dataTransfer.files.length) startCheck([...e.dataTransfer.files]);
	});

	// Practice. The record of the match is kept in the browser.
	const key = "practice";
	let standing = null, busy = false;
	const kept = () => {
		try {
			return localStorage.getItem(key);
		} catch {
			return null;
		}
	};

	// wait marks the page as waiting for the program. The reader can look around, but not order.
	const wait = (on) => {
		busy = on;
		for (const id of ["carry", "begin", "resume"]) byID(id).setAttribute("aria-disabled", on);
		byID("work").setAttribute("aria-busy", on);
		byID("ask").inert = byID("board").inert = on;
	};
	// play plays the match on and shows it, unless the reader has opened something else. One call runs at a time.
	const play = async (name, input) => {
		if (busy) return;
		const from = location.hash;
		wait(true);
		const s = await ask("The match goes on. A robot may think for 2 seconds.", name, input);
		wait(false);
		if (s.error) {
			window.deskSay(s.error, true);
			return;
		}
		try {
			localStorage.setItem(key, s.Record);
		} catch {
			// Some browsers keep nothing.
		}
		if (location.hash === from) show(s);
	};
	const show = (s) => {
		standing = s;
		const told = s.Told.replace(/^WHAT HAPPENED\n-+\n/gm, ""); // The page has that title.
		const orders = s.Orders.includes("\n- JOIN: ") ? "" : s.Orders; // The page has written JOIN.
		byID("told").textContent = [orders, told, s.End].filter((t) => t).join("\n\n");
		if (byID("save").href) URL.revokeObjectURL(byID("save").href);
		byID("save").href = URL.createObjectURL(new Blob([s.Record], {type: "application/x-ndjson"}));
		if (location.hash !== "#" + s.Fragment) history.pushState(null, "", "#" + s.Fragment);
		window.deskShow();
		// The reader, perhaps with the keyboard or a small screen, goes on at the top.
		(byID("news").hidden ? byID("uncover") : byID("told")).focus();
	};
	window.deskPractice = () => standing && location.hash === "#" + standing.Fragment;

	// deskPlayed ends with the last call.
	const startPlay = (name, input) => window.deskPlayed = play(name, input);
	const seed = () => Number(crypto.getRandomValues(new Uint32Array(1))[0]);
	byID("carry").onclick = () => startPlay("matchesAnswer", {Text: window.deskLines().join("\n")});
	byID("begin").onclick = () => startPlay("matchesBegin",
		{Game: byID("game").value, Robot: byID("robot").value, Seats: Number(byID("seats").value), Seed: seed()});
	byID("resume").onclick = () => startPlay("matchesResume", {Record: kept(), Seed: seed()});

	const fill = (select, list) => select.replaceChildren(...list.map(([value, text]) => new Option(text, value)));
	let games = [];
	const chosen = () => {
		const g = games.find((g) => g.Name === byID("game").value);
		window.deskRules(g.Name, true);
		fill(byID("seats"), Array.from({length: g.Most - g.Least + 1}, (_, i) => [g.Least + i, g.Least + i]));
		fill(byID("robot"), [...g.Robots.map((r) => [r, "robot " + r.replace(/^level/, "of level ")]), ["", "people at this screen"]]);
	};
	byID("game").onchange = chosen;
	// deskStart shows the page without a letter. The fragment is "", "practice.1989" or "check.mabcdefg".
	window.deskStart = (fragment, list) => {
		const [what, name] = fragment.split(".");
		games = list;
		fill(byID("game"), games.map((g) => [g.Name, g.Title]));
		if (games.some((g) => g.Name === name)) byID("game").value = name;
		chosen();
		byID("resume").hidden = !kept();
		if (what === "check" && /^[a-z0-9]+$/.test(name)) fetchRecord(name);
	};
})();
