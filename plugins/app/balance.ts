import fp from 'fastify-plugin'
import { optionalAmount } from '../../services/amounts.ts'
import { type Balance, createBalance } from '../../services/funds/balance.ts'

declare module 'fastify' {
  interface FastifyInstance {
    balance: Balance
  }
}

/** `app.balance`: what the wallet can still pay in fees; it is watched while the server runs, where SERVICE_LOW_BALANCE is set. */
export default fp(
  async app => {
    const { SERVICE_CHAIN_DENOM: denom, SERVICE_LOW_BALANCE } = app.config
    const balance = createBalance({
      chain: app.chainClient,
      address: app.signer.address,
      denom,
      low: optionalAmount(SERVICE_LOW_BALANCE),
      log: app.log.child({ module: 'balance' })
    })
    app.decorate('balance', balance)
    app.addHook('onReady', async () => balance.watch())
    app.addHook('onClose', async () => balance.stop())
  },
  { name: 'balance', dependencies: ['config', 'chain-client', 'signer'] }
)
