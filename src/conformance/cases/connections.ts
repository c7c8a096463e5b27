import { answersAs, answersItself, breaksOff, happened, returnsAnswer } from './answer-expectations.ts'
import {
  arrivesAsSent,
  arrivesOnFewerConnections,
  arrivesTimes,
  bodyArrives,
} from './arrival-expectations.ts'
import { type Case, must, should } from './case.ts'

/** Timing and broken connections: streaming in both directions, aborts, connections that stay open. */
export const connectionCases: readonly Case[] = [
  should('stream/head-before-body', 'the head comes back before the body is there', {
    answer: { framing: 'chunked' },
    manner: 'head-first',
    expect: [
      happened('the head comes back while the service holds the body', 'the head waited'),
      returnsAnswer,
    ],
  }),
  should('stream/body-as-it-comes', 'octets of a body come back as they are sent', {
    answer: { framing: 'chunked', body: 'a half of it\n'.repeat(2) },
    manner: 'half-first',
    expect: [
      happened('the first half comes back while the service holds the rest', 'it waited'),
      returnsAnswer,
    ],
  }),
  should('stream/upload-as-it-comes', 'octets of an upload arrive as they are sent', {
    send: { method: 'POST', body: 'a half of it\n'.repeat(2), framing: 'chunked' },
    manner: 'half-upload',
    expect: [
      happened('the first half arrives while the client holds the rest', 'it waited'),
      bodyArrives,
      returnsAnswer,
    ],
  }),
  must('stream/slow-upload', 'an upload in two parts arrives whole', {
    send: { method: 'PUT', body: 'a half of it\n'.repeat(2) },
    manner: 'half-upload',
    expect: [arrivesAsSent, bodyArrives, returnsAnswer],
  }),
  should('abort/client-leaves', 'the service learns that the client left', {
    manner: 'client-leaves',
    expect: [happened('the request to the service ends too', 'it stayed open'), arrivesTimes(1)],
  }),
  must('abort/service-leaves', 'a connection that the service closes without an answer gives an error', {
    manner: 'service-leaves',
    expect: [answersItself(500, 502, 503, 504)],
  }),
  should(
    'abort/told-to-programs',
    "an error of the point's own is a problem document where one is asked for",
    {
      send: { fields: ['Accept', 'application/problem+json'] },
      manner: 'service-leaves',
      expect: [answersItself(500, 502, 503, 504), answersAs('application/problem+json')],
    },
  ),
  must('abort/post-sent-once', 'a POST that may have been carried out is not sent again', {
    send: { method: 'POST', body: 'a=1' },
    manner: 'service-leaves',
    expect: [arrivesTimes(1)],
  }),
  must('abort/service-cuts', 'half an answer with a Content-Length is not passed off as a whole one', {
    manner: 'service-cuts',
    expect: [breaksOff],
  }),
  should('abort/service-cuts-chunks', 'half a chunked answer is not passed off as a whole one', {
    answer: { framing: 'chunked' },
    manner: 'service-cuts',
    expect: [breaksOff],
  }),
  should('connection/service-kept', 'a connection to the service takes another request', {
    manner: 'often',
    expect: [arrivesTimes(6), arrivesOnFewerConnections],
  }),
  should('connection/kept', 'a connection takes a second request', {
    manner: 'twice',
    expect: [
      happened('the second request is answered on the same connection', 'it was closed'),
      arrivesTimes(2),
    ],
  }),
]
