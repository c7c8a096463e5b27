import {
  arrivesAsSent,
  arrivesOnFewerConnections,
  arrivesTimes,
  bodyArrives,
} from './arrival-expectations.ts'
import { type Case, must, should } from './case.ts'
import { answersAs, answersItself, breaksOff, happened, returnsResponse } from './response-expectations.ts'

/** Timing and broken connections: streaming in both directions, aborts, connections that stay open. */
export const connectionCases: readonly Case[] = [
  should('stream/head-before-body', 'the head of a response comes back before its body arrives', {
    response: { framing: 'chunked' },
    manner: 'head-first',
    expect: [
      happened('the head comes back while the service holds back the body', 'the head was held back'),
      returnsResponse,
    ],
  }),
  should('stream/body-as-it-comes', 'a response body is streamed, not buffered', {
    response: { framing: 'chunked', body: 'a half of it\n'.repeat(2) },
    manner: 'half-first',
    expect: [
      happened('the first half comes back while the service holds back the rest', 'it was buffered'),
      returnsResponse,
    ],
  }),
  should('stream/upload-as-it-comes', 'an upload is streamed, not buffered', {
    send: { method: 'POST', body: 'a half of it\n'.repeat(2), framing: 'chunked' },
    manner: 'half-upload',
    expect: [
      happened('the first half arrives while the client holds back the rest', 'it was buffered'),
      bodyArrives,
      returnsResponse,
    ],
  }),
  must('stream/slow-upload', 'an upload in two parts arrives complete', {
    send: { method: 'PUT', body: 'a half of it\n'.repeat(2) },
    manner: 'half-upload',
    expect: [arrivesAsSent, bodyArrives, returnsResponse],
  }),
  should('abort/client-leaves', 'the request to the service is aborted when the client disconnects', {
    manner: 'client-leaves',
    expect: [happened('the request to the service is aborted', 'it stayed open'), arrivesTimes(1)],
  }),
  must(
    'abort/service-leaves',
    'if the service closes the connection without a response, the point answers with an error',
    { manner: 'service-leaves', expect: [answersItself(500, 502, 503, 504)] },
  ),
  should('abort/told-to-programs', "the point's own error is a problem document if the client accepts one", {
    send: { fields: ['Accept', 'application/problem+json'] },
    manner: 'service-leaves',
    expect: [answersItself(500, 502, 503, 504), answersAs('application/problem+json')],
  }),
  must('abort/post-sent-once', 'a POST that may have been processed is not sent again', {
    send: { method: 'POST', body: 'a=1' },
    manner: 'service-leaves',
    expect: [arrivesTimes(1)],
  }),
  must('abort/service-cuts', 'a truncated response with Content-Length does not look complete', {
    manner: 'service-cuts',
    expect: [breaksOff],
  }),
  should('abort/service-cuts-chunks', 'a truncated chunked response does not look complete', {
    response: { framing: 'chunked' },
    manner: 'service-cuts',
    expect: [breaksOff],
  }),
  should('connection/service-kept', 'a connection to the service is reused', {
    manner: 'often',
    expect: [arrivesTimes(6), arrivesOnFewerConnections],
  }),
  should('connection/kept', 'a connection of the client takes a second request', {
    manner: 'twice',
    expect: [
      happened('the second request is answered on the same connection', 'it was closed'),
      arrivesTimes(2),
    ],
  }),
]
