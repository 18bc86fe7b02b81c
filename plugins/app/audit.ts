import fp from 'fastify-plugin'
import { version } from '../../services/version.ts'

/** Logs each start and stop in a line with `audit: true` (interface 25.4). */
export default fp(
  async app => {
    const { SERVICE_ENVIRONMENT: environment } = app.config
    const wallet = app.signer.address
    const line = { audit: true, actor: 'server', outcome: 'done', version, environment, wallet }
    app.addHook('onReady', async () => app.log.info({ ...line, action: 'start' }, 'audit'))
    app.addHook('onClose', async () => app.log.info({ ...line, action: 'stop' }, 'audit'))
  },
  { name: 'audit', dependencies: ['signer'] }
)
