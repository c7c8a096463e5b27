import { expect, it } from 'vitest'
import { readGivenUrls } from '../../src/check/given-points.ts'

const P = '/service_cookie_transfer/'
const WWW = `https://www.example.com${P}`

it.each<[readonly string[], readonly string[], string?]>([
  [['https://www.example.com/'], [WWW]],
  [['https://www.example.com/shop/?utm=1#top'], [WWW]],
  [['www.example.com'], [WWW]],
  [['www.example.com:8443/shop'], [`https://www.example.com:8443${P}`]],
  [['localhost:8080'], [`https://localhost:8080${P}`]],
  [['http://www.example.com/a', 'http://www.example.com/b'], [`http://www.example.com${P}`]],
  [['www.example.com', WWW], [WWW]],
  [['www.example.com'], ['https://www.example.com/acme/'], '/acme/'],
  // What is not a page is left for the rules about points.
  [
    [WWW, WWW],
    [WWW, WWW],
  ],
  [[WWW.slice(0, -1)], [WWW.slice(0, -1)]],
  [[`${WWW}init`], [`${WWW}init`]],
  [['https://www.example.com/acme_cookie_transfer/'], ['https://www.example.com/acme_cookie_transfer/']],
  [[`www.example.com${P}`], [`www.example.com${P}`]],
  [['https://www.example.com/acme/cookie_transfer/'], ['https://www.example.com/acme/cookie_transfer/']],
  [['https://www.example.com/service_cookie_transfr/'], ['https://www.example.com/service_cookie_transfr/']],
  [['https://user:secret@www.example.com/'], ['https://user:secret@www.example.com/']],
  [['ftp://www.example.com/'], ['ftp://www.example.com/']],
  [['nonsense'], ['nonsense']],
])('%j stand for the points %j', (urls, points, prefix = P) => {
  expect(readGivenUrls(urls, prefix).points).toEqual(points)
})

it('remembers each page without its secrets, and its point', () => {
  const { pages } = readGivenUrls(['www.example.com/?key=secret', WWW], P)
  expect(pages).toEqual([{ page: 'www.example.com/?…', point: WWW }])
})
