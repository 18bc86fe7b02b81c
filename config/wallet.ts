import { openSigner, SignerError } from '../services/wallet/open.ts'
import type { Signer } from '../services/wallet/signer.ts'
import type { Config, Secrets } from './index.ts'
import { ConfigError, problem } from './problems.ts'

/** The wallet of a configuration. @throws ConfigError */
export async function openWallet(config: Config, { mnemonic }: Pick<Secrets, 'mnemonic'>): Promise<Signer> {
  try {
    return await openSigner(config, mnemonic)
  } catch (error) {
    throw error instanceof SignerError ? new ConfigError([problem(...error.parts)]) : error
  }
}
