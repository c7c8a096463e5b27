import { type OptionValues, optionMembers, parseOptions, renderOptions } from '../options/option-values.ts'
import { limitedOptions } from '../state/service.ts'
import { ok, type Reply, refused, toFieldErrors } from './reply.ts'
import { type Call, type Route, route } from './route.ts'

/** The company's default session options (spec 4.3). */
export const companyOptionsRoutes: readonly Route[] = [
  route('GET /company/options/', 'Read the default options with the limits of the plan applied', {
    credential: 'rest-or-widget-key',
    responses: { 200: 'The options' },
    answer: ({ service, company }) =>
      ok(renderOptions(limitedOptions(service, company), service.optionNames)),
  }),
  route('POST /company/options/', 'Replace the default options; what is left out goes back to its default', {
    body: optionMembers,
    responses: { 200: 'The options as they are kept' },
    answer: (call) => keep(call, {}),
  }),
  route('PATCH /company/options/', 'Change only these default options', {
    body: optionMembers,
    responses: { 200: 'The options as they are kept' },
    answer: (call) => keep(call, call.company.options),
  }),
  route('DELETE /company/options/', 'Reset every default option', {
    responses: { 200: 'No content' },
    answer({ company }) {
      company.options = {}
      return { status: 200 }
    },
  }),
]

/** Stores these options with those of the body over them. */
function keep({ service, company, body }: Call, base: OptionValues): Reply {
  const options = parseOptions(body)
  if ('faults' in options) return refused(400, toFieldErrors(options.faults))
  company.options = { ...base, ...options.value }
  return ok(renderOptions(company.options, service.optionNames))
}
