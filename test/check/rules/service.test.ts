import { prefix } from '../a-config.ts'
import { testRules, www, wwwPage } from './rule-table.ts'

const foreign = { service: 'https://cobrowse.example.net' }

testRules('service', {
  'service/back-transfer-domain': [
    [{ pages: [wwwPage], service: 'https://cobrowse.example.com', backTransfer: true }, []],
    [{ pages: [wwwPage], ...foreign, backTransfer: true }, ['service.url']],
    [{ pages: [wwwPage], service: 'https://cobrowse.example.net' }, []],
    [{ pages: [wwwPage, 'https://www.example.net/'], ...foreign, backTransfer: true }, []],
  ],
  'service/plain-http': [
    [{ service: 'https://cobrowse.example.net' }, []],
    [{ service: 'http://127.0.0.1:9000' }, []],
    [{ service: 'http://service.localhost' }, []],
    [{ service: 'http://cobrowse.example.net' }, ['service.url']],
  ],
  'service/api-version': [
    [{ api: 'https://cobrowse.example.net/v2' }, []],
    [{ api: 'https://cobrowse.example.net' }, ['service.api']],
    [{ api: 'https://cobrowse.example.net/rest' }, ['service.api']],
    [{ api: 'https://cobrowse.example.net/v1' }, ['service.api']],
    [{ api: 'https://cobrowse.example.net/v22' }, ['service.api']],
  ],
  'service/same-host': [
    [{ points: [www], service: 'https://cobrowse.example.com' }, []],
    [{ points: [www], service: 'https://WWW.example.com:443' }, ['service.url']],
    [{ points: [www], service: 'https://www.example.com.' }, ['service.url']],
    [{ points: [`https://www.example.com.${prefix}`], service: 'https://www.example.com' }, ['service.url']],
    [{ points: [www], service: 'https://www.example.com:8443' }, []],
    [
      { points: [`http://www.example.com:443${prefix}`], service: 'https://www.example.com' },
      ['service.url'],
    ],
  ],
})
