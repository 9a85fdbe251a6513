import { asking, correcting, finding, forgetting, handingOver, remembering, type Task, takingBack } from './task.js';

const bound = { key: 'bound' } as const;
const letters = { namespace: 'letters', into: 'letters' } as const;
/** The user says a word of the name and not the name. */
const house = { namespace: 'house', into: 'house notes' } as const;
const today = () => `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;

const remember: readonly Task[] = [
  remembering({ text: 'Ines keeps the spare key of the workshop in the blue tin.' }),
  remembering({ text: 'The kiln must cool for nine hours before it is opened.', source: 'kiln log' }),
  remembering({ text: 'Tomas prefers tea without milk.', metadata: { person: 'Tomas', likes: ['tea', 'rye bread'] } }),
  remembering({ text: 'The choir meets on Wednesdays at seven.', source: 'call', metadata: { weekday: 3 } }),
  remembering({ text: 'Aunt Vera asks whether the photographs have arrived.' }, letters),
  remembering({ text: 'The notary wants the signed copy back by Friday.', source: 'post' }, letters),
  remembering({ text: 'The roof over the kitchen leaks when the wind is from the west.' }, house),
  remembering({ text: 'The water meter is behind the second door of the cellar.' }, house),
  remembering({ text: 'The roses along the fence are cut in March.' }, bound),
  remembering({ text: 'Nadia lends the long ladder to members.', source: 'meeting', metadata: { n: 7 } }, bound),
];

const find: readonly Task[] = [
  finding({ text: 'The bakery in the old mill closes at two on Saturdays.' }, 'When does the bakery close?', 'bakery'),
  finding({ text: 'Jonas is allergic to walnuts.' }, 'What must Jonas not eat?', 'Jonas'),
  finding({ text: 'The code word of the archive is heron.' }, 'archive code word', 'archive'),
  finding({ text: 'The night bus stops behind the station.' }, 'Where does the night bus stop?', 'night bus', {
    filters: () => ({ created_after: today() }),
  }),
  finding({ text: 'The tide was highest at six.', source: 'harbour log' }, 'highest tide', 'tide', {
    filters: () => ({ source: ['harbour log'], include_playground: false }),
  }),
  finding({ text: 'The boiler was repaired in May, writes Mr Okafor.' }, 'When was the boiler repaired?', 'boiler', {
    ...letters,
    before: [['The boiler was repaired in June, says the invoice.', 'default']],
  }),
  finding({ text: 'The attic window sticks in wet weather.' }, 'Which window sticks?', 'window', house),
  finding({ text: 'The pear tree was grafted by Lidia.' }, 'Who grafted the pear tree?', 'pear tree', bound),
];

const correct: readonly Task[] = [
  correcting({
    outdated: 'The desk of Mira is in room twelve.',
    text: 'The desk of Mira is in room forty now.',
    query: 'Where is the desk of Mira?',
    subject: 'desk of Mira',
    beside: 'The bicycle of Mira is green.',
  }),
  correcting({
    outdated: 'The parcel office opens at nine.',
    text: 'The parcel office opens at eight since the summer.',
    query: 'When does the parcel office open?',
    subject: 'parcel office',
    beside: 'The ticket office of the theatre opens at noon.',
  }),
  correcting({
    outdated: 'Pavel works for the railway.',
    text: 'Pavel has left the railway and works for the city library.',
    query: 'Where does Pavel work?',
    subject: 'Pavel',
    beside: 'The railway pays its suppliers in thirty days.',
  }),
  correcting(
    {
      outdated: 'Cousin Rosa arrives by the morning train.',
      text: 'Cousin Rosa arrives by the evening train.',
      query: 'When does Cousin Rosa arrive?',
      subject: 'Rosa',
      beside: 'Cousin Emil arrives by car.',
    },
    letters,
  ),
  correcting(
    {
      outdated: 'The heating of the hall is set to nineteen degrees.',
      text: 'The heating of the hall is set to seventeen degrees.',
      query: 'To how many degrees is the hall heated?',
      subject: 'heating of the hall',
      beside: 'The lamp in the hall needs a new switch.',
    },
    house,
  ),
  correcting(
    {
      outdated: 'The compost is turned every second week.',
      text: 'The compost is turned every week from April on.',
      query: 'How often is the compost turned?',
      subject: 'compost',
      beside: 'The hedge is cut every second year.',
    },
    bound,
  ),
];

const forget: readonly Task[] = [
  takingBack('Olga will leave the company in spring.'),
  takingBack('The safe is opened with the birthday of the director.', letters),
  takingBack('The gate is not locked in the evening.', bound),
  forgetting(
    'Henrik owes the baker forty crowns.',
    'What does Henrik owe?',
    'Henrik',
    'The baker delivers rolls on Sundays.',
    'wide',
  ),
  forgetting(
    'Selma has had an operation of the knee.',
    'operation of the knee',
    'Selma',
    'The operation of the lift needs a permit.',
    'wide',
  ),
  forgetting(
    'Mr Brandt has not paid his fee.',
    'Who has not paid the fee?',
    'Brandt',
    'The fee for a plot is due in January.',
    'bound',
  ),
];

const handOver: readonly Task[] = [
  handingOver('The survey of the north pier is half done.', undefined, {}),
  handingOver('The translation of the manual goes to you.', 'Translate chapters four to six.', {}),
  handingOver('Please answer the insurance.', 'Write that the damage was on Monday.', letters),
  handingOver('The painter waits for a date.', 'Call him.', house, 'The painter can begin in the second week of May.'),
  handingOver('The seeds must be ordered.', 'Order them.', bound, 'The club needs beans, peas and marigolds.'),
];

const approval: readonly Task[] = [
  asking({ text: 'The quarry is closed to visitors.', source: 'crawler' }),
  asking({ text: 'The museum shows clocks until May.', source: 'crawler', metadata: { page: 4, tags: ['clocks'] } }),
  asking({ text: 'The embassy has moved to Mill Street.', source: 'crawler' }, letters),
  asking({ text: 'The lease of the studio ends in October.' }, { namespace: 'contracts', into: 'contracts' }),
  asking({ text: 'Slugs do not cross sheep wool.', source: 'crawler' }, bound),
];

export const tasks: readonly Task[] = [...remember, ...find, ...correct, ...forget, ...handOver, ...approval];
