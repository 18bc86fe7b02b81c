import document from '../../docs/errors.md'
import type { Advice } from '../../scripts/read-advice.ts'
import type { Problem } from './problem.ts'

// The bundler parses the document at build time: see scripts/bundle-playground.ts.
const byCode: Readonly<Record<string, Advice>> = document

const noAnswer: Advice = {
  meaning: 'The service gave no answer that can be read.',
  whatToDo:
    'Check that the server runs, and try again. A submission may have arrived all the same: send the same body again, with the same feeId. It is executed once.',
  retry: 'same',
  executed: 'perhaps'
}

/** Problems that arise in the page or its client. */
const own: Readonly<Record<string, Advice>> = {
  NETWORK: noAnswer,
  UNREADABLE: noAnswer,
  NO_CHAINS: {
    meaning: 'There is nothing to choose from.',
    whatToDo:
      'Look at the chain filter, `SERVICE_CHAIN_FILTER`: it leaves none of the chains in the registry.',
    retry: 'later',
    executed: 'no'
  },
  ABORTED: {
    meaning: 'You stopped it.',
    whatToDo: 'Send the same body again: if the submission was accepted, you get its result.',
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

export function adviceFor({ code }: Problem): Advice | undefined {
  return own[code] ?? byCode[code]
}
