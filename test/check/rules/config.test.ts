import type { PlanConfig } from '../../../src/config/config.ts'
import { at, testRules, www, wwwPage } from './rule-table.ts'

const plain = at('http://www.example.com')
const oneWay = limited({ enable_cookie_backtransfer: false })

testRules('config', {
  'config/plan': [
    [{ points: [www], plan: 'small', plans: [{ name: 'small', fixes: {} }] }, []],
    [{ points: [www], plan: 'small', plans: [limited({ cookie_transfer_proxying: true })] }, []],
    [
      { points: [www], plan: 'small', plans: [limited({ cookie_transfer_proxying: false })] },
      ['plans.small'],
    ],
    [{ points: [www], plan: 'small', plans: [oneWay] }, []],
    [{ points: [www], plan: 'small', plans: [oneWay], backTransfer: true }, ['plans.small']],
    [{ points: [www], plan: 'large', plans: [limited({ cookie_transfer_enabled: false })] }, []],
    [{ points: [www], plans: [limited({ cookie_transfer_enabled: false })] }, []],
    [{ points: [www], plan: 'smal', plans: [{ name: 'small', fixes: {} }] }, ['plans.small']],
    [{ points: [www], plans: [{ name: 's', fixes: {} }] }, []],
    [{ points: [www], plan: 'smal', plans: [{ name: 'smal', fixes: {} }, limited({})] }, []],
  ],
  'config/unused-suppression': [
    [{ points: [plain], suppress: [{ rule: 'url/plain-http' }] }, []],
    [{ points: [plain], suppress: [{ rule: 'url/plain-http', match: '*//www.*' }] }, []],
    [
      { points: [plain], suppress: [{ rule: 'url/plain-http', match: 'http://www.example.com/' }] },
      ['suppress[0]'],
    ],
    [{ points: [www], suppress: [{ rule: 'url/plain-http' }] }, ['suppress[0]']],
    [{ points: [www], suppress: [{ rule: 'url/plain-htp' }] }, ['suppress[0]']],
    [{ cookies: [{ name: 'x y' }], suppress: [{ rule: 'cookie/bad-name', match: 'x*' }] }, []],
    [
      {
        pages: [wwwPage, 'https://shop.example.com'],
        suppress: [
          { rule: 'page/no-point', match: 'https://www.example.com' },
          { rule: 'page/no-point', match: 'HTTPS://shop.example.com:443/' },
          { rule: 'page/no-point', match: 'https://*.example.com/' },
        ],
      },
      [],
    ],
    [
      { pages: [wwwPage], suppress: [{ rule: 'page/no-point', match: 'https://www.example.com/x' }] },
      ['suppress[0]'],
    ],
  ],
})

function limited(fixes: PlanConfig['fixes']) {
  return { name: 'small', fixes }
}
