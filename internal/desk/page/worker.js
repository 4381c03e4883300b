"use strict";
// The worker runs the program that checks and plays matches, so that the page can be used while a robot thinks. A message
// is the call of a function, for example {name: "matchesAnswer", input: '{"Text":"PASS"}'}; its port gets the JSON of the result.
importScripts("wasm_exec.js", "load.js");
const loaded = deskLoad("matches.wasm.gz");
onmessage = async (e) => {
	let output;
	try {
		await loaded;
		self.deskFiles = e.data.files || [];
		output = self[e.data.name](e.data.input);
	} catch (failed) {
		output = JSON.stringify({error: "The program that checks and plays matches has failed: " + failed.message});
	}
	e.ports[0].postMessage(output);
};
