import { setTimeout as delay } from 'node:timers/promises'
import type { OfflineDirectSigner } from '@cosmjs/proto-signing'
import { createSigner } from '../../../services/wallet/signer.ts'
import { DEVELOPMENT_WALLET } from '../../devnet/wallets.ts'

/** How long a key service takes for a signature. */
const SIGNING_MS = 50

/** For SERVICE_SIGNER_MODULE: the development wallet, as far away as a key service. */
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
