import type { ProbeReply } from '../../probe/probe.ts'
import type { Question, Reply } from '../read/live-fact.ts'
import { READ_CHARACTERS } from '../read/reply.ts'
import { parseStandIn } from '../read/stand-in.ts'

/**
 * The reply with no more of its body than the rules read. Those of all points are kept until the end of a check, and hostile
 * ones could fill the memory.
 */
export function condense(reply: ProbeReply, { purpose }: Question): Reply {
  if (reply.kind === 'none') return reply
  const report = parseStandIn(reply.body)
  // How much came of the long answer is told.
  if (report === undefined && (purpose === 'long-answer' || reply.body.length <= READ_CHARACTERS))
    return reply
  // A slice would keep the whole in memory.
  const body = Buffer.from(reply.body.slice(0, READ_CHARACTERS)).toString()
  const isListed = purpose === 'verification'
  return { ...reply, body, standIn: report && { ...report, listedUrls: isListed ? report.listedUrls : [] } }
}
