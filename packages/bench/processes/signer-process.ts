import { setTimeout as delay } from 'node:timers/promises'
import type { OfflineDirectSigner } from '@cosmjs/proto-signing'
import { createSigner } from '../../../services/wallet/signer.ts'
import { DEVELOPMENT_WALLET } from '../../devnet/wallets.ts'

/** A typical latency of key management services. */
const SIGNING_MS = 50

/**
 * Creates the signer for SERVICE_SIGNER: the development wallet with the latency of a key management service.
 */
export default async (): Promise<OfflineDirectSigner> => {
  const { getAccounts, signDirect } = await createSigner({ mnemonic: DEVELOPMENT_WALLET, prefix: 'service' })
  return {
    getAccounts,
    async signDirect(...request) {
      await delay(SIGNING_MS)
      return signDirect(...request)
    }
  }
}
