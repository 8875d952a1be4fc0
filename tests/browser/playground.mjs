// Uses the playground as a person does, and prints as JSON what it showed. Arguments: its address, a folder for screenshots or ''.
import {launch} from './launch.mjs';

const [base, folder] = process.argv.slice(2);
const browser = await launch();
const asked = [];
const seen = {asked, complaints: []};

async function open(options = {}, before = () => {}, path = 'index.html') {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  context.on('request', (request) => asked.push(request.url()));
  const page = await context.newPage();
  page.on('console', (message) => { if (message.type() === 'error') seen.complaints.push(message.text()); });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  await before(page);
  await page.goto(base + path);
  return page;
}

const settled = (page) => page.waitForFunction(() => ['done', 'refused'].includes(document.body.dataset.state), null, {timeout: 240000});

const box = (page, label) => page.getByRole('textbox', {name: label, exact: true});

async function write(page, label, text) {
  await box(page, label).fill(text);
  await settled(page);
}

const picked = (page) => page.evaluate(() => {
  const area = document.activeElement;
  return area.value.slice(area.selectionStart, area.selectionEnd);
});
const shown = async (page) => ({
  manifest: await page.locator('#manifest').textContent(),
  diagnostics: await page.locator('#diagnostics li').allTextContents(),
  stale: await page.locator('#stale').textContent(),
  notice: await page.locator('#notice').textContent(),
  status: await page.locator('#status').textContent(),
});
const shot = async (page, name) => { if (folder) await page.screenshot({path: `${folder}/${name}.png`, fullPage: true}); };

// Starts with an example.
const page = await open();
seen.quiet = await page.locator('#diagnostics').isHidden();
await settled(page);
seen.start = await shown(page);
await shot(page, 'wide-light');
await page.getByRole('tab', {name: 'Manifest'}).focus();
await page.keyboard.press('ArrowRight');
await page.waitForFunction(() => document.querySelector('#picture img')?.complete);
seen.picture = await page.evaluate(() => ({
  width: document.querySelector('#picture img').naturalWidth, alt: document.querySelector('#picture img').alt,
  focus: document.activeElement.textContent,
}));
await shot(page, 'wide-picture');
await page.emulateMedia({colorScheme: 'dark'});
await page.waitForTimeout(300);
await shot(page, 'wide-picture-dark');
await page.keyboard.press('ArrowRight');

// A request that is typed, and then broken, with a wide character before the mistake.
const request = 'Request, template or manifest';
seen.texts = {typed: '1*master<cpu=1, mem=1Gi>\n---\nname: typed\nimage: a.example/b:1\ncommand: echo hello\n'};
await write(page, request, seen.texts.typed);
seen.typed = await shown(page);
seen.texts.broken = seen.texts.typed.replace('name: typed', 'labels: {note: "🐍", Gpu_: x, bad key: y}').replace('mem=1Gi', 'mem=1');
await write(page, request, seen.texts.broken);
seen.broken = await shown(page);
seen.marked = await page.locator('#editors mark:visible').allTextContents();
await shot(page, 'wide-broken');
await page.locator('#diagnostics button').first().click();
seen.picked = await picked(page);

// An overlay that a request uses, and a site file with a rule.
await page.locator('#name').fill('job.het');
await write(page, request, 'use["overlay.yaml"]\n1*<cpu=1, mem=1Gi, gpu=2:H100>\n');
seen.unused = await shown(page);
await page.getByRole('tab', {name: 'overlay.yaml'}).click();
await write(page, 'overlay.yaml', 'image: other.example/b:1\ncommand: run\n');
seen.overlay = await shown(page);
await page.getByRole('tab', {name: 'hetc.toml'}).click();
await write(page, 'hetc.toml', '[policy]\nregistries = ["registry.example/"]\n');
seen.site = await shown(page);
await page.locator('#diagnostics button').first().click();
seen.sitePicked = [await picked(page), await page.locator('#files [aria-selected=true]').textContent()];
await write(page, 'overlay.yaml', 'image: registry.example/b:1\ncommand: run\n');

// The address holds what is edited.
await page.waitForTimeout(500);
const again = await open({}, () => {}, `index.html${new URL(page.url()).hash}`);
await settled(again);
await again.getByRole('tab', {name: 'overlay.yaml'}).click();
seen.shared = {manifest: (await shown(again)).manifest, before: (await shown(page)).manifest, overlay: await box(again, 'overlay.yaml').inputValue()};

// Every example of the menu.
seen.examples = {};
for (const title of (await again.locator('#examples option').allTextContents()).slice(1)) {
  await again.selectOption('#examples', title);
  await settled(again);
  seen.examples[title] = await shown(again);
}
await shot(again, 'wide-manifest-by-hand');

// Typing goes on while hetc is at work elsewhere, and the last text counts.
await again.locator('#name').fill('job.het');
const large = `1*master<cpu=1, mem=1Gi> ${Array.from({length: 150}, (_, number) => `+ 1*w${number}<cpu=1, mem=1Gi>`).join('\n')}\n---\nimage: a.example/b:1\ncommand: run\n`;
await write(again, request, large);
await box(again, request).press('Control+End');
for (const key of 'name: last') {
  await box(again, request).press(key === ' ' ? 'Space' : key);
  await again.waitForTimeout(150);
}
await again.waitForFunction(() => document.getElementById('manifest').textContent.includes('name: last'), null, {timeout: 120000});
seen.workers = again.workers().length;

// As on a telephone.
await page.setViewportSize({width: 390, height: 800});
await page.getByRole('tab', {name: 'job.het'}).click();
await write(page, request, seen.texts.broken);
seen.phone = await page.evaluate(() => document.documentElement.scrollWidth);
await shot(page, 'phone-dark');
await page.getByRole('tab', {name: 'Picture'}).click();
await shot(page, 'phone-picture');

// Without WebAssembly.
const old = await open({}, (each) => each.addInitScript(() => { delete globalThis.WebAssembly; }));
await old.waitForFunction(() => !document.getElementById('notice').hidden);
seen.old = await shown(old);

// Inside a page whose colours are dark, on a system whose colours are light.
const inside = await open({colorScheme: 'light'}, () => {}, '../inside.html');
const frame = inside.frames()[1];
await frame.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
seen.inside = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor);

await browser.close();
console.log(JSON.stringify(seen));
