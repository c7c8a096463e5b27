/** The custom-server interface of Next.js: `next(options)` gives `prepare`, `getRequestHandler` and `close`. */
export default () => ({
  prepare: async () => {},
  getRequestHandler: () => (_request, response) => response.end('the site'),
  close: async () => {},
})
