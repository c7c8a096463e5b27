import { answersAs, answersItself, breaksOff, happened, returnsAnswer } from '../answer-expectations.ts'
import {
  arrivesAsSent,
  arrivesOnFewerConnections,
  arrivesTimes,
  bodyArrives,
} from '../arrival-expectations.ts'
import type { Case } from '../case.ts'

/** Timing and broken connections: streaming in both directions, aborts, connections that stay open. */
export const connectionCases: readonly Case[] = [
  {
    id: 'stream/head-before-body',
    level: 'should',
    title: 'the head comes back before the body is there',
    answer: { framing: 'chunked' },
    manner: 'head-first',
    expect: [
      happened('head-before-body', 'the head comes back while the service holds the body', 'the head waited'),
      returnsAnswer,
    ],
  },
  {
    id: 'stream/body-as-it-comes',
    level: 'should',
    title: 'octets of a body come back as they are sent',
    answer: { framing: 'chunked', body: 'a half of it\n'.repeat(2) },
    manner: 'half-first',
    expect: [
      happened('half-before-rest', 'the first half comes back while the service holds the rest', 'it waited'),
      returnsAnswer,
    ],
  },
  {
    id: 'stream/upload-as-it-comes',
    level: 'should',
    title: 'octets of an upload arrive as they are sent',
    send: { method: 'POST', body: 'a half of it\n'.repeat(2), framing: 'chunked' },
    manner: 'half-upload',
    expect: [
      happened('upload-before-end', 'the first half arrives while the client holds the rest', 'it waited'),
      bodyArrives,
      returnsAnswer,
    ],
  },
  {
    id: 'stream/slow-upload',
    level: 'must',
    title: 'an upload in two parts arrives whole',
    send: { method: 'PUT', body: 'a half of it\n'.repeat(2) },
    manner: 'half-upload',
    expect: [arrivesAsSent, bodyArrives, returnsAnswer],
  },
  {
    id: 'abort/client-leaves',
    level: 'should',
    title: 'the service learns that the client left',
    manner: 'client-leaves',
    expect: [
      happened('departure-seen', 'the request to the service ends too', 'it stayed open'),
      arrivesTimes(1),
    ],
  },
  {
    id: 'abort/service-leaves',
    level: 'must',
    title: 'a connection that the service closes without an answer gives an error',
    manner: 'service-leaves',
    expect: [answersItself(500, 502, 503, 504)],
  },
  {
    id: 'abort/told-to-programs',
    level: 'should',
    title: "an error of the point's own is a problem document where one is asked for",
    send: { fields: ['Accept', 'application/problem+json'] },
    manner: 'service-leaves',
    expect: [answersItself(500, 502, 503, 504), answersAs('application/problem+json')],
  },
  {
    id: 'abort/post-sent-once',
    level: 'must',
    title: 'a POST that may have been carried out is not sent again',
    send: { method: 'POST', body: 'a=1' },
    manner: 'service-leaves',
    expect: [arrivesTimes(1)],
  },
  {
    id: 'abort/service-cuts',
    level: 'must',
    title: 'half an answer with a Content-Length is not passed off as a whole one',
    manner: 'service-cuts',
    expect: [breaksOff],
  },
  {
    id: 'abort/service-cuts-chunks',
    level: 'should',
    title: 'half a chunked answer is not passed off as a whole one',
    answer: { framing: 'chunked' },
    manner: 'service-cuts',
    expect: [breaksOff],
  },
  {
    id: 'connection/service-kept',
    level: 'should',
    title: 'a connection to the service takes another request',
    manner: 'often',
    expect: [arrivesTimes(6), arrivesOnFewerConnections],
  },
  {
    id: 'connection/kept',
    level: 'should',
    title: 'a connection takes a second request',
    manner: 'twice',
    expect: [
      happened('connection-kept', 'the second request is answered on the same connection', 'it was closed'),
      arrivesTimes(2),
    ],
  },
]
