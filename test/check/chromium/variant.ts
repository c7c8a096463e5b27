import type { World, WorldCookie } from './world.ts'

/** One cookie that a browser may hold for an entry of the config: each attribute that the entry leaves open is chosen. */
export interface Variant {
  /** The number of the listed cookie. */
  readonly of: number
  /** The listed name, with an ending that no other variant has. */
  readonly name: string
  readonly line: string
  /** Who sets it; a host, as a URL spells it. */
  readonly host: string
  readonly listed: WorldCookie
}

export function groupVariants({ cookies }: World): readonly Variant[] {
  return cookies.flatMap((listed, of) => {
    const secures = listed.secure === undefined ? [true, false] : [listed.secure]
    const sameSites = listed.sameSite === undefined ? [undefined, 'None', 'Lax', 'Strict'] : [listed.sameSite]
    return secures
      .flatMap((secure) => sameSites.map((sameSite) => ({ secure, sameSite })))
      .map(({ secure, sameSite }, index) => {
        const name = `${listed.name}-${of}-${index}`
        const host = listed.domain.replace(/^\./, '')
        const attributes = [
          `Path=${listed.path}`,
          ...(listed.domain.startsWith('.') ? [`Domain=${host}`] : []),
          ...(listed.httponly ? ['HttpOnly'] : []),
          ...(secure ? ['Secure'] : []),
          ...(sameSite === undefined ? [] : [`SameSite=${sameSite}`]),
        ]
        return { of, name, line: [`${name}=1`, ...attributes].join('; '), host, listed }
      })
  })
}
