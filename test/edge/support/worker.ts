import { createEdgeApp, type EdgeApp } from '../../../src/edge.ts'

/** The points of the config in `env.CONFIG`, as a Worker. */
export default {
  async fetch(request: Request, env: { readonly CONFIG: string }): Promise<Response> {
    app ??= createEdgeApp(JSON.parse(env.CONFIG))
    return (await app).fetch(request)
  },
}

let app: Promise<EdgeApp> | undefined
