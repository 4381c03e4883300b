(() => {
	"use strict";
	const byID = (id) => document.getElementById(id);
	const call = (name, ask) => window.deskCall(name, ask);

	// The program that checks and plays is large, and comes when it is wanted.
	let ready = null, standing = null;
	const load = () => {
		if (!ready) {
			window.deskSay("The program that checks and plays matches is loading.");
			ready = new Promise((done, failed) => {
				window.matchesReady = done;
				window.deskLoad("matches.wasm.gz").catch(failed);
			}).then(() => {
				window.deskSay("");
			}).catch((e) => {
				window.deskSay("The program cannot start: " + e.message, true);
				throw e;
			});
		}
		return ready;
	};

	// Checking. The record of the address is kept for letters that come later; another record replaces it.
	let record = [];
	const fetchRecord = async (name) => {
		const answer = await fetch("../" + name + ".jsonl");
		if (!answer.ok) {
			window.deskSay("The record " + name + ".jsonl is not there: " + answer.status + ".", true);
			return;
		}
		record = [new Uint8Array(await answer.arrayBuffer())];
		await begin([]);
	};
	const check = async (files) => {
		await load();
		const given = [];
		for (const f of files) given.push(new Uint8Array(await f.arrayBuffer()));
		if (given.some((bytes) => bytes[0] === 0x7b)) record = []; // A record begins with a brace.
		window.deskFiles = [...given, ...record];
		window.deskSay("The match is being checked.");
		await painted();
		const said = call("matchesVerify", {});
		const found = byID("found"), history = byID("history");
		found.hidden = false;
		found.textContent = said.error || said.Text;
		found.classList.toggle("bad", !said.Good);
		window.deskSay(said.Good ? "The match is checked: everything agrees." : "The match is not as it should be.", !said.Good);
		history.hidden = true;
		if (!said.Good) return;
		await painted();
		const page = call("matchesHistory", {});
		history.hidden = !page || !!page.error;
		if (!history.hidden) history.srcdoc = page;
	};
	// painted waits until the browser has shown the last change.
	const painted = () => new Promise((done) => setTimeout(done, 30));
	// deskChecked ends with the last check.
	const begin = (files) => window.deskChecked = check(files);
	byID("files").onchange = () => begin([...byID("files").files]);
	addEventListener("dragover", (e) => e.preventDefault());
	addEventListener("drop", (e) => {
		e.preventDefault();
		if (!byID("start").hidden && e.dataTransfer.files.length) begin([...e.dataTransfer.files]);
	});

	// Practice. The record of the match is kept in the browser.
	const key = "practice";
	const kept = () => {
		try {
			return localStorage.getItem(key);
		} catch {
			return null;
		}
	};

	const show = (s) => {
		if (s.error) {
			window.deskSay(s.error, true);
			return;
		}
		standing = s;
		try {
			localStorage.setItem(key, s.Record);
		} catch {
			// Some browsers keep nothing.
		}
		const told = s.Told.replace(/^WHAT HAPPENED\n-+\n/gm, ""); // The page has that title.
		const orders = s.Orders.includes("\n- JOIN: ") ? "" : s.Orders; // The page has written JOIN.
		byID("told").textContent = [orders, told, s.End].filter((t) => t).join("\n\n");
		if (byID("save").href) URL.revokeObjectURL(byID("save").href);
		byID("save").href = URL.createObjectURL(new Blob([s.Record], {type: "application/x-ndjson"}));
		if (location.hash === "#" + s.Fragment) window.deskReady();
		else location.hash = s.Fragment;
	};
	window.deskPractice = () => standing && location.hash === "#" + standing.Fragment;

	byID("carry").onclick = () => show(call("matchesAnswer", {Text: window.deskLines().join("\n")}));
	const seed = () => Number(crypto.getRandomValues(new Uint32Array(1))[0]);
	byID("begin").onclick = async () => {
		await load();
		show(call("matchesBegin", {Game: byID("game").value, Robot: byID("robot").value, Seats: Number(byID("seats").value), Seed: seed()}));
	};
	byID("resume").onclick = async () => {
		await load();
		show(call("matchesResume", {Record: kept(), Seed: seed()}));
	};

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
