import type { Rule } from '../rule.ts'
import { backTransfer } from './account/back-transfer.ts'
import { otherAccount } from './account/other-account.ts'
import { proxyingDisabled } from './account/proxying-disabled.ts'
import { scopesDiffer } from './account/scopes-differ.ts'
import { transferDisabled } from './account/transfer-disabled.ts'
import { urlNotRegistered } from './account/url-not-registered.ts'
import { urlStale } from './account/url-stale.ts'
import { unusedSuppression } from './config/unused-suppression.ts'
import { badDomain } from './cookie/bad-domain.ts'
import { badName } from './cookie/bad-name.ts'
import { badPath } from './cookie/bad-path.ts'
import { depends } from './cookie/depends.ts'
import { drift } from './cookie/drift.ts'
import { duplicate as duplicateCookie } from './cookie/duplicate.ts'
import { insecureOnly } from './cookie/insecure-only.ts'
import { mixedParties } from './cookie/mixed-parties.ts'
import { neverSent } from './cookie/never-sent.ts'
import { noneHttponly } from './cookie/none-httponly.ts'
import { pathNotCovered } from './cookie/path-not-covered.ts'
import { prefixContradiction } from './cookie/prefix-contradiction.ts'
import { publicSuffixDomain } from './cookie/public-suffix-domain.ts'
import { sameSiteNone } from './cookie/same-site-none.ts'
import { allowed } from './live/allowed.ts'
import { cached } from './live/cached.ts'
import { connect } from './live/connect.ts'
import { cors } from './live/cors.ts'
import { dns } from './live/dns.ts'
import { forwarded } from './live/forwarded.ts'
import { headerSize } from './live/header-size.ts'
import { methods } from './live/methods.ts'
import { origin } from './live/origin.ts'
import { redirect } from './live/redirect.ts'
import { setCookie } from './live/set-cookie.ts'
import { tls } from './live/tls.ts'
import { widgetKey } from './live/widget-key.ts'
import { csp } from './page/csp.ts'
import { invalid as invalidPage } from './page/invalid.ts'
import { noPoint } from './page/no-point.ts'
import { unreachable } from './page/unreachable.ts'
import { widget } from './page/widget.ts'
import { backTransferDomain } from './service/back-transfer-domain.ts'
import { sameHost } from './service/same-host.ts'
import { crossSite } from './url/cross-site.ts'
import { duplicate as duplicateUrl } from './url/duplicate.ts'
import { invalid as invalidUrl } from './url/invalid.ts'
import { ipHost } from './url/ip-host.ts'
import { mixedContent } from './url/mixed-content.ts'
import { plainHttp } from './url/plain-http.ts'
import { prefix } from './url/prefix.ts'
import { publicSuffixHost } from './url/public-suffix-host.ts'
import { redundant } from './url/redundant.ts'
import { schemeMismatch } from './url/scheme-mismatch.ts'
import { trailingDot } from './url/trailing-dot.ts'

/** Every rule, in the order of reports. */
export const rules: readonly Rule[] = [
  invalidUrl,
  prefix,
  duplicateUrl,
  trailingDot,
  publicSuffixHost,
  ipHost,
  crossSite,
  schemeMismatch,
  mixedContent,
  plainHttp,
  redundant,
  invalidPage,
  noPoint,
  unreachable,
  widget,
  csp,
  badName,
  badDomain,
  publicSuffixDomain,
  badPath,
  prefixContradiction,
  sameSiteNone,
  duplicateCookie,
  neverSent,
  pathNotCovered,
  insecureOnly,
  depends,
  mixedParties,
  noneHttponly,
  drift,
  backTransferDomain,
  sameHost,
  otherAccount,
  transferDisabled,
  proxyingDisabled,
  urlNotRegistered,
  urlStale,
  scopesDiffer,
  backTransfer,
  dns,
  connect,
  tls,
  redirect,
  forwarded,
  origin,
  widgetKey,
  allowed,
  methods,
  setCookie,
  cached,
  headerSize,
  cors,
  unusedSuppression,
]
