/**
 * The loads: what the generator sends repeatedly, and what the upstream answers. `path` is below the prefix;
 * the upstream answers by path.
 *
 * @typedef {{ name: string, title: string, connections: number, method: string, path: string, fields: string[], bodyBytes: number, upstream: 'http' | 'https' }} Load
 */

const cookies = (bytes) =>
  `Cookie: ${'session=0123456789abcdefghijklmn; '.repeat(Math.ceil(bytes / 34)).slice(0, bytes)}`

/** What a browser sends besides cookies. */
const browser = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Accept: */*',
  'Accept-Language: en-GB,en;q=0.9',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Referer: https://www.example.com/',
  'Sec-Fetch-Site: same-origin',
]

/** @type {Load} */
const small = {
  name: 'small',
  title: 'GET, 600 bytes of cookies',
  connections: 50,
  method: 'GET',
  path: 'init',
  fields: [...browser, cookies(600)],
  bodyBytes: 0,
  upstream: 'http',
}

/** @type {Load[]} */
export const loads = [
  small,
  { ...small, name: 'one', title: 'GET over 1 connection', connections: 1 },
  { ...small, name: 'many', title: 'GET over 500 connections', connections: 500 },
  { ...small, name: 'cookies', title: 'GET, 12 KiB of cookies', fields: [...browser, cookies(12_288)] },
  {
    ...small,
    name: 'post',
    title: 'POST, 2 KiB of JSON',
    method: 'POST',
    path: 'create',
    fields: [...small.fields, 'Content-Type: application/json'],
    bodyBytes: 2_048,
  },
  { ...small, name: 'redirect', title: '302 with 6 Set-Cookie lines', path: 'redirect' },
  { ...small, name: 'down', title: '1 MiB down', path: 'large', connections: 8 },
  {
    ...small,
    name: 'up',
    title: '8 MiB up',
    method: 'POST',
    path: 'store',
    bodyBytes: 8_388_608,
    connections: 4,
  },
  { ...small, name: 'tls', title: 'GET to an https service', upstream: 'https' },
]
