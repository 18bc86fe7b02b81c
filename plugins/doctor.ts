import fp from 'fastify-plugin'
import type { Configuration } from '../config/index.ts'

/** Logs the problems of the configuration and the upstreams once after each start, without delaying it. */
export default fp<Configuration>(
  async (app, { config, secrets }) => {
    const log = app.log.child({ module: 'doctor' })
    let isClosed = false
    app.addHook('onClose', async () => {
      isClosed = true
    })
    async function report(): Promise<void> {
      // Load the modules that only the checks need after the start.
      const { examine } = await import('../services/doctor/index.ts')
      const stored = await app.store.walletState()
      const known = { address: app.signer.address, chainId: stored?.chainId }
      const found = (await examine({ config, secrets }, known)).filter(({ level }) => level !== 'fine')
      if (isClosed) return
      if (found.length === 0) return log.info({}, 'configuration and upstreams are in order')
      const level = found.some(finding => finding.level === 'problem') ? 'error' : 'warn'
      log[level]({ findings: found }, 'something is wrong with the configuration or an upstream')
    }

    app.addHook('onListen', async () => {
      report().catch(err => log.warn({ err }, 'the configuration could not be examined'))
    })
  },
  { name: 'doctor', dependencies: ['app'] }
)
