// hetc itself, away from the page, so that typing never waits for it.
import {loadPyodide} from './pyodide/pyodide.mjs';

let answer;

async function file(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`cannot load ${path}: ${response.status}`);
  return response;
}

async function start() {
  postMessage({state: 'loading Python, 13 MB the first time'});
  const pyodide = await loadPyodide({indexURL: new URL('pyodide/', import.meta.url).href});
  postMessage({state: 'loading hetc'});
  for (const name of await (await file('wheels.json')).json()) {
    pyodide.unpackArchive(await (await file(name)).arrayBuffer(), 'wheel');
  }
  pyodide.runPython(await (await file('playground.py')).text());
  pyodide.globals.get('main')('/home/pyodide/job');
  const python = pyodide.globals.get('answer_json');
  answer = (...texts) => JSON.parse(python(...texts));
  postMessage({state: 'ready'});
}

const started = start();
started.catch((error) => postMessage({failed: `hetc could not start: ${error.message}`}));

onmessage = async ({data}) => {
  await started;
  try {
    postMessage({answer: answer(data.name, data.text, data.overlay, data.site)});
  } catch (error) {
    postMessage({failed: `this is a bug in hetc: ${error.message}`});
  }
};
