/** A port number from the command line, or what is wrong with it as the end of a sentence. */
export function parsePort(text: string): number | string {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535
    ? Number(text)
    : 'must be a whole number from 0 to 65535'
}
