// Loaded with --import: makes a built-in fail on the field names that the test sends, with an error that quotes them.
const { toLowerCase } = String.prototype

String.prototype.toLowerCase = function () {
  if (/^X-throw-/.test(this))
    throw new TypeError(`broken on purpose: ${this}`, { cause: new Error(String(this)) })
  if (/^X-reject-/.test(this)) Promise.reject(new TypeError(`broken on purpose: ${this}`))
  return Reflect.apply(toLowerCase, this, [])
}
