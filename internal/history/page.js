(() => {
	"use strict";
	const byID = (id) => document.getElementById(id);
	const moves = [...document.querySelectorAll(".move")];
	const data = JSON.parse(byID("data").textContent);
	const map = byID("map"), groups = map ? [...map.children].filter((e) => e.localName === "g") : [];
	const cursor = byID("cursor"), scrub = byID("scrub"), now = byID("now"), table = byID("table"), stage = byID("stage");
	const last = moves.length - 1;
	let at = last;

	// The chapters' first moves, for steps of a turn.
	const chapters = [...document.querySelectorAll(".chapter")].map((c) => moves.indexOf(c.querySelector(".move")));

	const toggle = (frame) => {
		for (const g of data.changes[frame] || []) {
			if (!groups[g].hasAttribute("display")) groups[g].setAttribute("display", "none");
			else groups[g].removeAttribute("display");
		}
	};

	// words are those of a frame; it has its own where they are not those of the frame before.
	const words = (frame) => {
		while (frame > 0 && !data.words[frame]) frame--;
		return data.words[frame];
	};

	const tell = (move) => {
		now.replaceChildren();
		const head = document.createElement("b");
		head.textContent = move.querySelector(".head").textContent;
		now.append(head);
		for (const part of move.querySelectorAll(":scope > .order, :scope > ul, :scope > .dice")) now.append(part.cloneNode(true));
	};

	// stands shows how the match stands where there is no map: as the newest move says that
	// says something new.
	const stands = () => {
		let news = null;
		for (let n = at; n >= 0 && !news; n--) news = moves[n].querySelector(".stands");
		table.replaceChildren(...(news ? [...news.cloneNode(true).children].slice(1) : []));
	};

	const show = (to) => {
		to = Math.max(0, Math.min(last, to));
		moves[at].removeAttribute("aria-current");
		while (at > to) toggle(at--);
		while (at < to) toggle(++at);
		const move = moves[at];
		move.setAttribute("aria-current", "step");
		scrub.value = at;
		scrub.setAttribute("aria-valuetext", move.querySelector(".head").textContent);
		byID("where").textContent = move.id + " of " + moves[last].id;
		for (const [id, end] of [["first", 0], ["back", 0], ["next", last], ["last", last]]) byID(id).disabled = at === end && document.activeElement !== byID(id);
		if (map) byID("map-words").textContent = words(at);
		if (cursor) {
			const x = data.left + data.width * at / Math.max(1, last);
			cursor.setAttribute("x1", x);
			cursor.setAttribute("x2", x);
			cursor.removeAttribute("display");
		}
		if (table) stands();
		tell(move);
	};

	// step shows a move, says so in the address, and lets it be seen: beside the map where
	// there is room, else unless the map is what is looked at.
	const step = (to) => {
		show(to);
		try {
			history.replaceState(null, "", "#" + moves[at].id);
		} catch {
			// Some browsers allow that to no page that is a file.
		}
		if (matchMedia("(min-width:900px)").matches || stage.getBoundingClientRect().bottom < 120) moves[at].scrollIntoView({block: "nearest"});
	};

	const turn = (way) => {
		const all = way > 0 ? chapters.filter((c) => c > at) : chapters.filter((c) => c < at).reverse();
		return all.length ? all[0] : way > 0 ? last : 0;
	};

	const named = () => moves.findIndex((m) => m.id === decodeURIComponent(location.hash.slice(1)));

	byID("first").onclick = () => step(0);
	byID("back").onclick = () => step(at - 1);
	byID("next").onclick = () => step(at + 1);
	byID("last").onclick = () => step(last);
	scrub.oninput = () => step(Number(scrub.value));
	if (cursor) byID("curve").addEventListener("click", (e) => {
		const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(byID("curve").getScreenCTM().inverse());
		step(Math.round((p.x - data.left) / data.width * last));
	});
	addEventListener("hashchange", () => {
		const to = named();
		if (to >= 0) show(to);
	});
	addEventListener("keydown", (e) => {
		if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest("input, textarea, select")) return;
		const to = {ArrowLeft: e.shiftKey ? turn(-1) : at - 1, ArrowRight: e.shiftKey ? turn(1) : at + 1, Home: 0, End: last}[e.key];
		if (to === undefined) return;
		e.preventDefault();
		step(to);
	});
	byID("bar").hidden = false;
	for (const e of document.querySelectorAll(".script")) e.hidden = false;
	const to = named();
	show(to < 0 ? data.start : to);
	if (to >= 0) moves[to].scrollIntoView();
})();
