"use strict";
// deskLoad starts a program, and waits until its functions can be called. The page and the worker use it.
self.deskLoad = async (name) => {
	const go = new Go();
	const answer = await fetch(name);
	if (!answer.ok) throw new Error(name + ": " + answer.status);
	// Some servers say that the file is compressed, and the browser has taken it apart already.
	const bytes = new Uint8Array(await answer.arrayBuffer());
	let program = bytes;
	if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
		program = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
	}
	const {instance} = await WebAssembly.instantiate(program, go.importObject);
	const ready = new Promise((done) => {
		self.programReady = done;
	});
	go.run(instance);
	await ready;
};
