import { pass, type Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'
import { failMiswritten } from './miswritten.ts'

export const trailingDot: Rule = {
  id: 'url/trailing-dot',
  severity: 'error',
  title: 'The host does not end in a dot',
  why: 'Browsers treat example.com and example.com. as two sites with two sets of cookies. Nothing that belongs to one reaches the other.',
  wrong: 'https://www.example.com./service_cookie_transfer/',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Write the host without the dot at its end.',
  reference: {
    text: 'HTML Standard, sites',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#sites',
  },
  needs: { rules: ['url/invalid'] },
  evaluate: onReadablePoints((point, facts) =>
    point.parsed.host.endsWith('.')
      ? failMiswritten(
          `The host ${point.parsed.host} ends in a dot, which makes it a different site`,
          point,
          facts,
        )
      : pass,
  ),
}
