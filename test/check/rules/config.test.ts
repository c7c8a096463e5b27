import { at, testRules, www, wwwPage } from './rule-table.ts'

const plain = at('http://www.example.com')

testRules('config', {
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
