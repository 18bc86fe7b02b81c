import {
  parseReceivers,
  type Receivers,
  ReceiversFileError,
  receiversInFile,
  singleReceiver
} from '../services/webhooks/receivers.ts'
import { ConfigError, problem } from './problems.ts'
import type { Read } from './read.ts'
import { whyStrict } from './rules.ts'
import { readSecretFile } from './secrets.ts'

const VARIABLE = 'SERVICE_WEBHOOKS_FILE'

/** The receivers of webhooks, from the variables for one or from a file with several; undefined without any (interface 1.20). */
export function readWebhooks({ values }: Read): { receivers?: Receivers; problems: readonly string[] } {
  const { SERVICE_WEBHOOKS_FILE: path, SERVICE_WEBHOOK_URL: url, SERVICE_WEBHOOK_SECRET: secrets } = values
  if (typeof path === 'string') {
    try {
      return {
        receivers: receiversInFile(path, () => readFile(path, whyStrict(values) !== undefined)),
        problems: []
      }
    } catch (error) {
      if (error instanceof ConfigError) return { problems: error.problems }
      throw error
    }
  }
  if (typeof url !== 'string' || !Array.isArray(secrets)) return { problems: [] }
  return { receivers: singleReceiver(url, secrets), problems: [] }
}

/** @throws ConfigError */
function readFile(path: string, isStrict: boolean) {
  const read = readSecretFile(VARIABLE, path, 'receivers of webhooks')
  if ('problem' in read) throw new ConfigError([read.problem])
  try {
    return parseReceivers(read.text, isStrict)
  } catch (error) {
    if (!(error instanceof ReceiversFileError)) throw error
    const expected = 'a file of receivers as docs/events-and-webhooks.md describes it'
    throw new ConfigError([problem(VARIABLE, `names a file that ${error.message}`, expected)])
  }
}
