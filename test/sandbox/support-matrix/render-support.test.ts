import { describe, expect, it } from 'vitest'
import { routes } from '../../../src/sandbox/rest/routes.ts'
import { renderSupport } from '../../../src/sandbox/support-matrix/render-support.ts'
import { supportTable } from '../../../src/sandbox/support-matrix/support-table.ts'

describe('the support matrix', () => {
  it('tells of every endpoint once, and of none that is not there', () => {
    const endpoints = supportTable.map(({ topic }) => topic).filter((topic) => topic.includes('/'))
    expect(endpoints.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('is a Markdown table of four columns', () => {
    const lines = renderSupport([
      { topic: 'GET /a/', documented: 'One | two.', ours: 'Ours.' },
      { topic: 'Topic', documented: 'Three.', missing: 'Four.' },
    ])
    expect(lines).toBe(`| endpoint | as documented | the stand-in’s own choice | not imitated |
| --- | --- | --- | --- |
| \`GET /a/\` | One \\| two. | Ours. |  |
| Topic | Three. |  | Four. |
`)
  })

  it('stands on one line a row', () => {
    expect(renderSupport().trimEnd().split('\n')).toHaveLength(supportTable.length + 2)
  })
})
