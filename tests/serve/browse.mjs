// browse.mjs URL STEP... -- opens a page in headless Chromium and does, one after the other:
//   wait EXPRESSION     until it is true, a minute at most
//   print EXPRESSION    prints its value as JSON
//   click SELECTOR      a press of the mouse's button
//   drag 'FROM TO SELECTOR'   of the mouse, between these shares of an element's width, in the middle of its height;
//                       'X,Y X,Y SELECTOR' between shares of width and height
//   hover 'SHARE SELECTOR'   the mouse, at this share of an element's width
//   press KEY           a key: Tab, Enter, Escape, ArrowLeft or ArrowRight
//   run COMMAND         of the shell; fails if that does
//   dark, narrow        as who likes it dark; on a small screen
//   shot FILE           a picture
//   top 'HEIGHT FILE'   a picture of the page down to there
// Fails at errors of the page's scripts, and at whatever its policy forbids, not where a server ended,
// or a program that it serves.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [url, ...steps] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'proflog-browse.'));
const options = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
  '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage', '--disable-background-networking',
  '--disable-component-update', '--disable-extensions', '--hide-scrollbars', '--window-size=1280,1000'];
if (process.getuid() === 0)
  options.push('--no-sandbox');
const browser = spawn(process.env.CHROMIUM ?? 'chromium', options,
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const [toBrowser, fromBrowser] = [browser.stdio[3], browser.stdio[4]];

const calls = new Map(), problems = [];
let last = 0, rest = '', session, status = 0, isOver = false;

function take(message) {
  const call = calls.get(message.id);
  calls.delete(message.id);
  if (call)
    message.error ? call.reject(new Error(message.error.message)) : call.resolve(message.result);
  else if (message.method === 'Runtime.exceptionThrown')
    problems.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
  else if (message.method === 'Log.entryAdded' && ['error', 'warning'].includes(message.params.entry.level)
    && !/ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED)|WebGL/.test(message.params.entry.text)
    && !(/status of 404/.test(message.params.entry.text) && /\/history$/.test(message.params.entry.url)))
    problems.push(`${message.params.entry.text} ${message.params.entry.url ?? ''}`);
}

fromBrowser.setEncoding('utf8');
fromBrowser.on('data', (text) => {
  const messages = (rest + text).split('\0');
  rest = messages.pop();
  messages.forEach((m) => take(JSON.parse(m)));
});
toBrowser.on('error', () => {});
browser.on('exit', () => {
  for (const call of calls.values())
    call.reject(new Error('Chromium ended'));
});
browser.on('error', (error) => fail(error));

function call(method, params = {}) {
  return new Promise((resolve, reject) => {
    const id = ++last;
    calls.set(id, { resolve, reject });
    toBrowser.write(JSON.stringify({ id, method, params, ...(session && { sessionId: session }) }) + '\0');
  });
}

async function evaluate(expression) {
  const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  if (exceptionDetails)
    throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  return result.value;
}

async function wait(expression) {
  for (let i = 0; i < 600; i++) {
    if (await evaluate(expression).catch(() => false))
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain for ${expression}; the page shows: ${await evaluate('document.body.innerText')}`);
}

async function click(selector) {
  const box = await evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
    e.scrollIntoView({ block: 'center' }); const b = e.getBoundingClientRect();
    return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
  for (const type of ['mousePressed', 'mouseReleased'])
    await call('Input.dispatchMouseEvent', { type, ...box, button: 'left', clickCount: 1 });
}

async function drag(argument) {
  const [from, to, ...selector] = argument.split(' ');
  const box = await evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector.join(' '))});
    e.scrollIntoView({ block: 'center' }); const b = e.getBoundingClientRect();
    return { x: b.x, y: b.y, width: b.width, height: b.height }; })()`);
  for (const [type, shares] of [['mousePressed', from], ['mouseMoved', to], ['mouseReleased', to]]) {
    const [x, y = 0.5] = shares.split(',').map(Number);
    await call('Input.dispatchMouseEvent', { type, x: box.x + x * box.width, y: box.y + y * box.height, button: 'left', buttons: 1, clickCount: 1 });
  }
}

async function hover(argument) {
  const [share, ...selector] = argument.split(' ');
  const box = await evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector.join(' '))});
    e.scrollIntoView({ block: 'center' }); const b = e.getBoundingClientRect();
    return { x: b.x, y: b.y + b.height / 2, width: b.width }; })()`);
  await call('Input.dispatchMouseEvent', { type: 'mouseMoved', x: box.x + share * box.width, y: box.y });
}

async function press(key) {
  const code = { Tab: 9, Enter: 13, ArrowLeft: 37, ArrowRight: 39, Escape: 27 }[key];
  for (const type of ['keyDown', 'keyUp'])
    await call('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' && type === 'keyDown' && { text: '\r' }) });
}

const does = {
  wait,
  click,
  drag,
  hover,
  press,
  run: async (command) => {
    if (spawnSync('/bin/sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0)
      throw new Error(`failed: ${command}`);
  },
  print: async (expression) => console.log(JSON.stringify(await evaluate(expression))),
  dark: () => call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] }),
  narrow: () => call('Emulation.setDeviceMetricsOverride', { width: 400, height: 900, deviceScaleFactor: 1, mobile: false }),
  shot: async (file) => picture(file, {}),
  top: async (argument) => {
    const [height, file] = argument.split(' ');
    await picture(file, { clip: { x: 0, y: 0, width: 1280, height: Number(height), scale: 0.875 } });
  },
};

async function picture(file, options) {
  const { data } = await call('Page.captureScreenshot', { captureBeyondViewport: true, ...options });
  writeFileSync(file, Buffer.from(data, 'base64'));
}

const early = ['dark', 'narrow']; // without an argument; later, too

async function browse() {
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  session = (await call('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  await Promise.all(['Page', 'Runtime', 'Log'].map((domain) => call(`${domain}.enable`)));
  let isOpen = false;
  for (let i = 0; i < steps.length; i++) {
    if (!isOpen && !early.includes(steps[i])) {
      const { errorText } = await call('Page.navigate', { url });
      if (errorText)
        throw new Error(`${url}: ${errorText}`);
      isOpen = true;
    }
    await does[steps[i]](early.includes(steps[i]) ? undefined : steps[++i]);
  }
  if (problems.length)
    throw new Error('the page has problems: ' + problems.join('; '));
}

function fail(error) {
  if (!isOver)
    console.error(`browse.mjs: ${error.message}`);
  isOver = true;
  status = 1;
}

await browse().catch(fail);
isOver = true;
// Its other processes still write for a moment.
const end = new Promise((resolve) => (browser.exitCode === null ? browser.on('exit', resolve) : resolve()));
session = undefined;
call('Browser.close').catch(() => {});
const impatience = setTimeout(() => browser.kill('SIGKILL'), 5000);
await end;
clearTimeout(impatience);
rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
process.exit(status);
