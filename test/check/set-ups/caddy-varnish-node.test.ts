import { checkSetUps } from './check-set-ups.ts'

checkSetUps('caddy', 'varnish', 'node')
