import { toShownText } from '../../read/shown-text.ts'
import { fail, inconclusive, pass, type Rule, skip } from '../../rule.ts'
import { onVisitedPages } from '../subjects.ts'

export const widget: Rule = {
  id: 'page/widget',
  severity: 'warning',
  title: 'The widget is in the page',
  why: "Sessions start from the widget in the page, and it is the widget that calls the points. Only the HTML is read and no script is run, so a widget that a tag manager or a bundle adds later can't be seen.",
  wrong: 'the widget code inside <!-- … -->, or left out of the new template',
  right: 'the widget code from the integration panel, with the widget key of the config',
  fix: 'Paste the widget code from the integration panel into the page.',
  needs: { facts: ['service'], rules: ['page/unreachable'] },
  needsPageVisits: true,
  evaluate: onVisitedPages(({ shown }, answer) => {
    if (answer.kind !== 'response' || answer.status >= 400) return skip('the page gave no answer')
    const { widget } = answer
    switch (widget.kind) {
      case 'there':
        return pass
      case 'perhaps':
        return inconclusive(
          `The widget isn't in the HTML of the page; ${toShownText(widget.loader)} may load it, which only a browser can tell`,
        )
      case 'absent':
        return fail(
          "The widget isn't in this page, and there is no script in it that could load one",
          'Paste the widget code from the integration panel into this page, or take the page out of "pages"',
          {
            sent: `GET ${shown}`,
            arrived: 'HTML without the widget key and without a script of the service',
          },
        )
    }
  }),
}
