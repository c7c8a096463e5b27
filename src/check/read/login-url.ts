/** Whether a URL is, by its words, one where visitors log in. */
export function isLoginUrl({ hostname, pathname }: URL): boolean {
  return LOGIN.test(`${hostname}${pathname}`)
}

const LOGIN =
  /(?:^|[/._-])(?:log-?in|log-?on|sign-?in|sign-?on|auth|oauth2?|sso|saml2?|idp|accounts?)(?:$|[/._-])/i
