import { browserName } from './user-agent.policy.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';

it.each([
  [`${MAC} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
  [`${WINDOWS} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
  [`${WINDOWS} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${ANDROID} ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`${ANDROID} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 'Samsung Internet on Android'],
  [`${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iOS'],
  [`${IPHONE} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iOS'],
  [`${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iOS'],
  [`${IPHONE} EdgiOS/142.0 Version/18.0 Mobile/15E148 Safari/604.1`, 'Edge on iOS'],
  ['Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1', 'Safari on iPadOS'],
  [`${WINDOWS} Something/1.0`, 'A browser on Windows'],
  ['Firefox/1', 'Firefox'],
])('names the browser and the system of %s', (userAgent, expected) => {
  expect(browserName(userAgent)).toBe(expected);
});

it.each([null, '', 'curl/8.5.0', '<script>alert(1)</script>', 'x'.repeat(100_000)])(
  'names no browser for %j',
  (userAgent) => {
    expect(browserName(userAgent)).toBeUndefined();
  },
);
