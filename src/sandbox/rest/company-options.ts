import { type OptionValues, optionMembers, parseOptions, renderOptions } from '../options/option-values.ts'
import { limitedOptions } from '../state/service.ts'
import { refusedFor } from './reply.ts'
import { type Call, type Route, route } from './route.ts'

/** The company's default session options (spec 4.3). */
export const companyOptionsRoutes: readonly Route[] = [
  route(
    'GET /company/options/',
    'Read the default options with the limits of the plan applied',
    'The options',
    {
      credential: 'rest-or-widget-key',
      answer: ({ service, company }) => renderOptions(limitedOptions(service, company), service.optionNames),
    },
  ),
  route(
    'POST /company/options/',
    'Replace the default options; what is left out goes back to its default',
    'The options as they are kept',
    { body: optionMembers, answer: (call) => keep(call, {}) },
  ),
  route('PATCH /company/options/', 'Change only these default options', 'The options as they are kept', {
    body: optionMembers,
    answer: (call) => keep(call, call.company.options),
  }),
  route('DELETE /company/options/', 'Reset every default option', 'No content', {
    answer({ company }) {
      company.options = {}
    },
  }),
]

/** Stores these options with those of the body over them. */
function keep({ service, company, body }: Call, base: OptionValues) {
  const options = parseOptions(body)
  if ('faults' in options) return refusedFor(options.faults)
  company.options = { ...base, ...options.value }
  return renderOptions(company.options, service.optionNames)
}
