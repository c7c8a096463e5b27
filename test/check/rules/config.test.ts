import type { PlanConfig } from '../../../src/config/config.ts'
import { prefix } from '../a-config.ts'
import { testRules, www, wwwPage } from './rule-table.ts'

testRules('config', {
  'config/plan': [
    [{ points: [www], plan: 'small', plans: [{ name: 'small', fixes: {} }] }, []],
    [{ points: [www], plan: 'small', plans: [limited({ cookie_transfer_proxying: true })] }, []],
    [
      { points: [www], plan: 'small', plans: [limited({ cookie_transfer_proxying: false })] },
      ['plans.small'],
    ],
    [{ points: [www], plan: 'small', plans: [limited({ enable_cookie_backtransfer: false })] }, []],
    [
      {
        points: [www],
        plan: 'small',
        plans: [limited({ enable_cookie_backtransfer: false })],
        backTransfer: true,
      },
      ['plans.small'],
    ],
    [{ points: [www], plan: 'large', plans: [limited({ cookie_transfer_enabled: false })] }, []],
    [{ points: [www], plans: [limited({ cookie_transfer_enabled: false })] }, []],
    [{ points: [www], plan: 'smal', plans: [{ name: 'small', fixes: {} }] }, ['plans.small']],
    [{ points: [www], plans: [{ name: 's', fixes: {} }] }, []],
    [
      {
        points: [www],
        plan: 'smal',
        plans: [
          { name: 'smal', fixes: {} },
          { name: 'small', fixes: {} },
        ],
      },
      [],
    ],
  ],
  'config/unused-suppression': [
    [{ points: [`http://www.example.com${prefix}`], suppress: [{ rule: 'url/plain-http' }] }, []],
    [
      {
        points: [`http://www.example.com${prefix}`],
        suppress: [{ rule: 'url/plain-http', match: '*//www.*' }],
      },
      [],
    ],
    [
      {
        points: [`http://www.example.com${prefix}`],
        suppress: [{ rule: 'url/plain-http', match: 'http://www.example.com/' }],
      },
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
