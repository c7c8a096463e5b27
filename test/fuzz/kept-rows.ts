import type { FuzzAnswer } from './answer-arbitrary.ts'
import type { FuzzRequest } from './request-model.ts'

const GET: FuzzRequest = {
  method: 'GET',
  host: 'www.example.com',
  form: 'origin',
  path: '/service_cookie_transfer/',
  query: '',
  fields: [],
  body: { framing: 'none' },
}

/** Requests that a run once failed on, or that show where a program or the model is easily wrong. */
export const KEPT_REQUESTS: readonly { readonly name: string; readonly request: FuzzRequest }[] = [
  {
    name: 'two expectations',
    request: {
      ...GET,
      fields: [
        ['Expect', '100-continue'],
        ['Expect', '100-continue'],
      ],
    },
  },
  {
    name: 'a Connection list that names the framing of the body',
    request: {
      ...GET,
      method: 'POST',
      fields: [['Connection', 'Content-Length, X-Widget-Key, Host']],
      body: { framing: 'length', octets: 'abc' },
    },
  },
  {
    name: 'a default port in the absolute form only',
    request: { ...GET, form: { absolute: 'WWW.example.com:80' }, host: 'www.example.com' },
  },
  {
    name: 'the prefix twice',
    request: { ...GET, path: '/service_cookie_transfer/service_cookie_transfer/' },
  },
  { name: 'an empty query', request: { ...GET, query: '?' } },
  {
    name: 'an empty chunked body',
    request: { ...GET, method: 'POST', body: { framing: 'chunked', pieces: [] } },
  },
]

/** Answers of the same kind. */
export const KEPT_ANSWERS: readonly { readonly name: string; readonly answer: FuzzAnswer }[] = [
  {
    name: 'a second response after the first, on a connection that stays open',
    answer: {
      octets:
        'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nnot his',
      ending: 'open',
      isValid: 'yes',
      cuts: [],
    },
  },
  {
    name: 'a chunked response that is cut off before its last chunk',
    answer: {
      octets: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
      ending: 'end',
      isValid: 'no',
      cuts: [],
    },
  },
  {
    name: 'a reset where only the end would complete the response',
    answer: { octets: 'HTTP/1.1 200 OK\r\n\r\nabc', ending: 'reset', isValid: 'no', cuts: [0.9] },
  },
]
