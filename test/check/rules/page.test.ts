import { prefix } from '../a-config.ts'
import { testRules, www, wwwPage } from './rule-table.ts'

const ours = { service: 'https://cobrowse.example.com' }

testRules('page', {
  'page/invalid': [
    [{ pages: [wwwPage, 'http://localhost:8080', 'https://www.example.com/a?b#c'] }, []],
    [
      {
        pages: [
          ...['www.example.com', 'https://', 'file:///x', 'https://u@www.example.com/', 'https://a b/'],
          ...['https://www.example.com:0/', 'https://*.example.com/'],
        ],
      },
      [
        ...['www.example.com', 'https://', 'file:///x', 'https://…@www.example.com/', 'https://a b/'],
        ...['https://www.example.com:0/', 'https://*.example.com/'],
      ],
    ],
  ],
  'page/root-point': [
    [{ points: [www], pages: [wwwPage] }, []],
    [{ points: [`https://www.example.com/shop${prefix}`], pages: [wwwPage] }, [wwwPage]],
    [{ points: [`https://www.example.com/shop${prefix}`, www], pages: [wwwPage] }, []],
    [{ points: [], pages: [wwwPage] }, []],
  ],
  'page/back-transfer': [
    [{ pages: [wwwPage], ...ours, backTransfer: true }, []],
    [{ pages: [wwwPage, 'https://www.example.net/'], service: 'https://cobrowse.example.com' }, []],
    [
      { pages: [wwwPage, 'https://www.example.net/'], ...ours, backTransfer: true },
      ['https://www.example.net/'],
    ],
    [{ pages: [wwwPage], service: 'https://cobrowse.example.net', backTransfer: true }, []],
  ],
  'page/no-point': [
    [{ points: [www], pages: ['https://www.example.com:443/checkout'] }, []],
    [{ points: [www], pages: ['http://www.example.com/'] }, ['http://www.example.com/']],
    [{ points: [www], pages: ['https://www.example.com:8443/'] }, ['https://www.example.com:8443/']],
    [{ points: [www], pages: ['https://example.com/'] }, ['https://example.com/']],
    [{ points: [`https://www.example.com/shop${prefix}`], pages: [wwwPage] }, []],
    [{ points: [www.slice(0, -1)], pages: [wwwPage] }, [wwwPage]],
  ],
})
