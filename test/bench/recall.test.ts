import { describe, expect, it } from 'vitest';
import { conversationsOf } from '../../ops/bench/recall/files.js';
import { meanOf, scoresOf } from '../../ops/bench/recall/score.js';

const turn = (role: string, content: string, has_answer?: boolean) => ({ role, content, has_answer });

describe('the data of the benchmark of retrieval', () => {
  it('reads LoCoMo as it is published', () => {
    const said = (dia_id: string, text: string) => ({
      speaker: 'Ada',
      dia_id,
      text,
      img_url: ['x'],
      blip_caption: 'a',
    });
    const published = {
      sample_id: 'conv-1',
      conversation: {
        speaker_a: 'Ada',
        speaker_b: 'Ben',
        session_10_date_time: '1:56 pm on 8 May, 2023',
        session_10: [said('D10:1', 'third')],
        session_2: [said('D2:1', 'first'), said('D2:2', 'second')],
      },
      qa: [
        { question: 'Which?', answer: 7, evidence: ['D2:1; D10:1', 'D:2:02'], category: 1 },
        { question: 'Why?', adversarial_answer: 'so', evidence: [], category: 5 },
      ],
      event_summary: {},
    };
    expect(conversationsOf('locomo10.json', [published])).toEqual([
      {
        conversation: 'conv-1',
        turns: [
          { id: 'D2:1', session: 'session_2', speaker: 'Ada', text: 'first' },
          { id: 'D2:2', session: 'session_2', speaker: 'Ada', text: 'second' },
          { id: 'D10:1', session: 'session_10', speaker: 'Ada', text: 'third', time: '2023-05-08T13:56:00Z' },
        ],
        questions: [
          { question: 'Which?', evidence: ['D2:1', 'D10:1', 'D2:2'], category: 'several turns' },
          { question: 'Why?', evidence: [], category: 'unanswerable' },
        ],
      },
    ]);
  });

  it('reads LongMemEval as its authors describe it', () => {
    const one = (question_id: string) => ({
      question_id,
      question_type: 'multi-session',
      question: 'Which boat?',
      answer: 'the red one',
      question_date: '2023/05/30 (Tue) 23:40',
      haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 02:21'],
      haystack_session_ids: ['answer_1', 'other_2'],
      haystack_sessions: [
        [turn('user', 'the red boat', true), turn('assistant', 'fine', false), turn('user', ' ')],
        [turn('user', 'rain', true)],
      ],
      answer_session_ids: ['answer_1'],
    });
    const [asked, unanswerable] = conversationsOf('longmemeval_s.json', [one('q1'), one('q1_abs')]);
    expect(asked).toEqual({
      conversation: 'q1',
      turns: [
        { id: '1:1', session: '1', speaker: 'user', text: 'the red boat', time: '2023-05-20T02:21:00Z' },
        { id: '1:2', session: '1', speaker: 'assistant', text: 'fine', time: '2023-05-20T02:21:00Z' },
        { id: '2:1', session: '2', speaker: 'user', text: 'rain', time: '2023-05-21T02:21:00Z' },
      ],
      questions: [{ question: 'Which boat?', evidence: ['1:1'], category: 'multi-session' }],
    });
    expect(unanswerable?.questions).toMatchObject([{ evidence: [] }]);
  });

  it.each([
    ['12:05 am on 1 Nov, 2022', '2022-11-01T00:05:00Z'],
    ['12:30 pm on 31 December 2022', '2022-12-31T12:30:00Z'],
    ['2022-12-31', '2022-12-31'],
    [undefined, undefined],
  ])('reads the time of a session: %s', (session_time, time) => {
    const one = { id: '1', session: 's', speaker: 'Ada', text: 'tide' };
    const [talk] = conversationsOf('own.json', { conversation: 1, turns: [{ ...one, session_time }], questions: [] });
    expect(talk?.turns).toEqual([{ ...one, time }]);
  });

  it('names a file that has none of the forms', () => {
    expect(() => conversationsOf('a.json', [{ conversation: {} }])).toThrow(/^a\.json has no known form: .*sample_id/s);
    expect(() => conversationsOf('b.json', [])).toThrow(/^b\.json/);
    expect(() => conversationsOf('c.json', { turns: [] })).toThrow(/^c\.json/);
  });

  it('scores questions by the evidence among their hits, and leaves out those without any', () => {
    const turns = ['a', 'b', 'c'].map((id) => ({ id, session: 's', speaker: 'Ada', text: id }));
    const questions = [
      { question: 'both', evidence: ['a', 'b', 'gone'], category: 'x' },
      { question: 'second', evidence: ['c'] },
      { question: 'none', evidence: ['gone'] },
    ];
    const hitsOf = (turns: string) => [...turns].map((turn, i) => ({ turn, score: 1 - i / 10 }));
    const answers = new Map([
      ['both', hitsOf('ac')],
      ['second', hitsOf('ac')],
    ]);
    const scores = scoresOf({ conversation: '1', turns, questions }, answers, answers);
    expect(scores.map(({ category }) => category)).toEqual(['x', undefined]);
    expect(meanOf(scores)).toEqual({ r8: 0.75, r10: 0.75, hit1: 0.5, mrr: 0.75, same: 1, equal: 2, questions: 2 });
    const others = new Map([
      ['both', hitsOf('ca')],
      ['second', hitsOf('ac').map(({ turn, score }) => ({ turn, score: score + 0.01 }))],
    ]);
    const compared = scoresOf({ conversation: '1', turns, questions }, answers, others);
    expect(meanOf(compared)).toMatchObject({ same: 1, equal: 0 });
  });
});
