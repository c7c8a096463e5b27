/** What may be in front of a site: each front end of `render`, and an app in Node. */
export const FRONT_END_NAMES = ['nginx', 'apache', 'caddy', 'haproxy', 'node'] as const

export type FrontEndName = (typeof FRONT_END_NAMES)[number]
