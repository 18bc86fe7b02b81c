import fp from 'fastify-plugin'
import type { Config } from '../../config/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

/** `app.config`: the settings, free of secrets. Registered by app.ts before everything else. */
export default fp<{ config: Config }>(
  async (app, { config }) => {
    app.decorate('config', config)
  },
  { name: 'config' }
)
