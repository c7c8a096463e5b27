import { parseUrl } from './parse-url.ts'

/**
 * The version of an IP address in text form: four decimals without leading zeros, or RFC 4291 section 2.2 with an RFC
 * 4007 zone after `%`. Same results as Node's `isIP`, for runtimes that don't have it.
 */
export function ipVersionOf(text: string): 4 | 6 | undefined {
  if (IPV4.test(text)) return 4
  const address = text.replace(/%[0-9A-Za-z.:-]+$/, '')
  return /^[0-9A-Fa-f:.]+$/.test(address) && parseUrl(`http://[${address}]/`) !== undefined ? 6 : undefined
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
