import fp from 'fastify-plugin'
import type { Config } from '../../config/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

/** `app.config`: the configuration, without secrets. */
export default fp<{ config: Config }>(
  async (app, { config }) => {
    app.decorate('config', config)
  },
  { name: 'config' }
)
