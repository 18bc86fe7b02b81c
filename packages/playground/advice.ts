import document from '../../docs/errors.md'
import type { Advice } from '../../scripts/read-advice.ts'
import type { Problem } from './problem.ts'

// The bundler parses the document at build time: see scripts/bundle-playground.ts.
const byCode: Readonly<Record<string, Advice>> = document

const noResponse: Advice = {
  meaning: 'The service returned no readable response.',
  whatToDo:
    'Check that the server runs, and try again. A submission may have arrived nevertheless: send the same body again. It is executed only once.',
  retry: 'same',
  executed: 'perhaps'
}

/** Problems that arise in the page or its client. */
const own: Readonly<Record<string, Advice>> = {
  NETWORK: noResponse,
  UNREADABLE: noResponse,
  NO_CHAINS: {
    meaning: 'The service lists no chains.',
    whatToDo: 'Check the chain filter, `SERVICE_CHAIN_FILTER`: it excludes every chain of the registry.',
    retry: 'later',
    executed: 'no'
  },
  ABORTED: {
    meaning: 'You stopped the submission.',
    whatToDo: 'Send the same body again. If the submission was accepted, you get its result.',
    retry: 'same',
    executed: 'no'
  },
  WALLET: {
    meaning: 'The wallet did not sign.',
    whatToDo: 'Nothing was sent. Try again, or use the throw-away key.',
    retry: 'same',
    executed: 'no'
  }
}

export function adviceFor({ facts: { code } }: Problem): Advice | undefined {
  return own[code] ?? byCode[code]
}
