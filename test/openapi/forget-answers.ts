import { forgetAnswers } from './recorder.ts'

// Runs before all tests: discards the notes of earlier runs.
forgetAnswers()
