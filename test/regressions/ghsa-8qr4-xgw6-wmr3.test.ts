/*
 * undici (and h3's proxy): a path that begins with two slashes was parsed as another host, and the request was sent
 * there. Here origin and path are passed separately, and no path is forwarded outside a point's.
 */

import { expect } from 'vitest'
import { forwarded, itOnStage } from '../support/stage.ts'

itOnStage.for([
  '//other.example/service_cookie_transfer/',
  '///other.example/',
  '//service_cookie_transfer/',
])('%s has no point', async (target, { stage }) => {
  const octets = `GET ${target} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
  expect(await stage.play(octets)).toMatchObject({ status: 404, code: 'unknown-path', forwarded: [] })
})

itOnStage('slashes behind the prefix go to the service, which is the only host', async ({ stage }) => {
  const path = '/service_cookie_transfer//other.example/'
  const octets = `GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`
  expect((await stage.play(octets)).forwarded).toEqual([forwarded(stage, { path })])
})
