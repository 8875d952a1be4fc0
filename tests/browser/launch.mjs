// A real Chromium, driven by playwright-core from where scripts/judges puts it. It talks to nobody by itself.
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const judges = fileURLToPath(new URL('../../.cache/judges/package.json', import.meta.url));
const {chromium} = createRequire(judges)('playwright-core');

export function launch() {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
}
