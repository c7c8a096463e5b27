import { checkSetUps } from './check-set-ups.ts'

checkSetUps('nginx')
