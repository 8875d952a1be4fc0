// Opens each picture by itself, and prints as JSON what is wrong with it: text outside, text over text.
import {readFileSync} from 'node:fs';
import {launch} from './launch.mjs';

const browser = await launch();
const pages = [];
for (const path of process.argv.slice(2)) {
  const page = await browser.newPage({colorScheme: 'light'});
  await page.setContent(readFileSync(path, 'utf8'));
  const found = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('text')].map((text) => ({text: text.textContent, box: text.getBBox()}));
    const view = document.querySelector('svg').viewBox.baseVal;
    const faults = [];
    boxes.forEach(({text, box}, number) => {
      if (box.x < 0 || box.y < 0 || box.x + box.width > view.width || box.y + box.height > view.height) faults.push(`${text} is outside`);
      for (const other of boxes.slice(0, number)) {
        const over = Math.min(box.x + box.width, other.box.x + other.box.width) - Math.max(box.x, other.box.x);
        const above = Math.min(box.y + box.height, other.box.y + other.box.height) - Math.max(box.y, other.box.y);
        if (over > 0 && above > 0) faults.push(`${text} is over ${other.text}`);
      }
    });
    return {faults, texts: boxes.length};
  });
  const fill = () => page.evaluate(() => getComputedStyle(document.querySelector('.page')).fill);
  const light = await fill();
  await page.emulateMedia({colorScheme: 'dark'});
  pages.push({path, ...found, light, dark: await fill()});
  await page.close();
}
await browser.close();
console.log(JSON.stringify(pages));
