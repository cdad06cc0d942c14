// KNOWLEDGER_BROWSER=/usr/bin/chromium npm run console:screenshots -- 'http://127.0.0.1:3000/console#key=kn_…'
// Makes the pictures of the README from a running service that has a crawl. Look at each before you keep it.
import { chromium } from 'playwright-core';

const [, , link] = process.argv;
if (link === undefined) throw new Error('name the link that the first start printed');
const browser = await chromium.launch({
  executablePath: process.env.KNOWLEDGER_BROWSER ?? '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
const base = link.replace(/#.*/, '');
const shoot = async (name) => {
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: new URL(`../docs/images/${name}.png`, import.meta.url).pathname });
};

await page.goto(link);
await page.getByRole('heading', { name: 'Overview' }).waitFor();
await shoot('overview');

await page.goto(`${base}/sources?type=crawl&status=success`);
await page.locator('.rows-body .row').first().click();
await page.locator('.gantt li').first().waitFor();
await shoot('timeline');

await page.getByRole('link', { name: 'Changes' }).click();
const slider = page.getByRole('slider');
await slider.focus();
for (let i = 0; i < 3; i += 1) await slider.press('ArrowLeft');
await page.locator('.compare').waitFor();
await shoot('rewind');

await page.goto(`${base}/events?category=dataSource`);
await page.locator('.rows-body .row').first().click();
await page.getByRole('button', { name: 'Prove it' }).click();
await page.locator('.proof').scrollIntoViewIfNeeded();
await shoot('proof');
await browser.close();
