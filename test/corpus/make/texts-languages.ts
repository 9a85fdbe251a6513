/** Texts of the corpus, in languages of the charsets. All are notes of a harbour master. */

export const english = `Harbour log, Tuesday.
The pilot came on board at six. Two cranes stood still because of the wind, the third one loaded timber until noon.
Cargo: 40 crates of lamps, 12 barrels of oil, 3 boxes of maps. All papers were signed.
`;

export const french = `Journal du port, mardi.
Le pilote est monté à bord à six heures. Deux grues étaient arrêtées à cause du vent, la troisième a chargé du bois jusqu’à midi.
Chargement : 40 caisses de lampes, 12 fûts d’huile, 3 boîtes de cartes. Où était le reçu ? Le capitaine a été très pressé.
`;

/** With characters that ISO-8859-15 has and windows-1252 has elsewhere. */
export const frenchWithEuros =
  `Le cœur du port bat encore : les œuvres du sculpteur ont été livrées à la sœur du capitaine.
Prix de la traversée : 45 €, supplément pour les bœufs : 12 €. Le maître d’œuvre a payé à Noël.
`.replaceAll('’', "'");

export const german = `Hafenbuch, Dienstag.
Der Lotse kam um sechs Uhr an Bord. Zwei Kräne standen wegen des Windes still, der dritte lud bis zum Mittag Holz für die Brücke.
Größe der Kisten: drei Fuß. Die Prüfung der Säcke ergab keine Schäden, und der Kapitän grüßte über die Mauer.
`;

export const polish = `Dziennik portu, wtorek.
Pilot wszedł na pokład o szóstej. Dwa dźwigi stały z powodu wiatru, trzeci ładował drewno aż do południa.
Ładunek: 40 skrzyń lamp, 12 beczek oleju, 3 pudła map. Wszystkie dokumenty zostały podpisane, więc statek mógł odpłynąć.
`;

export const czech = `Deník přístavu, úterý.
Lodivod přišel na palubu v šest hodin. Dva jeřáby stály kvůli větru, třetí nakládal dřevo až do poledne.
Náklad: 40 beden lamp, 12 sudů oleje, 3 krabice map. Všechny papíry byly podepsány, a tak loď mohla odplout.
`;

export const russian = `Журнал порта, вторник.
Лоцман поднялся на борт в шесть часов. Два крана стояли из-за ветра, третий до полудня грузил лес.
Груз: 40 ящиков ламп, 12 бочек масла, 3 коробки карт. Все бумаги подписаны, и корабль вышел в море.
`;

export const ukrainian = `Журнал порту, вівторок.
Лоцман піднявся на борт о шостій годині. Два крани стояли через вітер, третій до полудня вантажив ліс.
Вантаж: 40 ящиків ламп, 12 бочок олії, 3 коробки карт. Усі папери підписані, і корабель вийшов у море. Її чекають у Києві.
`;

export const greek = `Ημερολόγιο του λιμανιού, Τρίτη.
Ο πλοηγός ανέβηκε στο πλοίο στις έξι. Δύο γερανοί έμειναν ακίνητοι λόγω του ανέμου, ο τρίτος φόρτωνε ξύλα ως το μεσημέρι.
Φορτίο: 40 κιβώτια με λάμπες, 12 βαρέλια λάδι, 3 κουτιά με χάρτες. Όλα τα έγγραφα υπογράφηκαν.
`;

export const turkish = `Liman günlüğü, salı.
Kılavuz kaptan saat altıda gemiye çıktı. İki vinç rüzgâr yüzünden çalışmadı, üçüncüsü öğleye kadar kereste yükledi.
Yük: 40 sandık lamba, 12 fıçı yağ, 3 kutu harita. Bütün belgeler imzalandı ve gemi açık denize çıktı, şimdi bekliyoruz.
`;

export const hebrew = `יומן הנמל, יום שלישי.
הנתב עלה על הסיפון בשעה שש. שני מנופים עמדו בגלל הרוח, והשלישי העמיס עצים עד הצהריים.
מטען: 40 ארגזים של מנורות, 12 חביות שמן, 3 קופסאות של מפות. כל המסמכים נחתמו והספינה יצאה לים.
`;

export const arabic = `يوميات الميناء، الثلاثاء.
صعد المرشد إلى السفينة في الساعة السادسة. توقفت رافعتان بسبب الريح، وحملت الثالثة الخشب حتى الظهر.
الحمولة: 40 صندوقا من المصابيح، 12 برميلا من الزيت، 3 علب من الخرائط. وقعت كل الأوراق وخرجت السفينة إلى البحر.
`;

export const lithuanian = `Uosto žurnalas, antradienis.
Locmanas pakilo į laivą šeštą valandą. Du kranai stovėjo dėl vėjo, trečiasis iki vidurdienio krovė medieną.
Krovinys: 40 dėžių lempų, 12 statinių aliejaus, 3 dėžutės žemėlapių. Visi dokumentai pasirašyti, ir laivas išplaukė į jūrą.
`;

export const thai = `บันทึกของท่าเรือ วันอังคาร
ผู้นำร่องขึ้นเรือตอนหกโมงเช้า ปั้นจั่นสองตัวหยุดเพราะลมแรง ตัวที่สามขนไม้จนถึงเที่ยงวัน
สินค้า ตะเกียงสี่สิบลัง น้ำมันสิบสองถัง แผนที่สามกล่อง เอกสารทั้งหมดได้รับการลงนามแล้ว และเรือก็ออกสู่ทะเล
`;

export const japanese = `港の日誌、火曜日。
水先案内人は六時に船に乗った。二台のクレーンは風のために止まり、三台目は正午まで木材を積んだ。
積み荷はランプ四十箱、油十二樽、地図三箱である。書類にはすべて署名がされ、船は海へ出た。
`;

export const chinese = `港口日志，星期二。
引水员六点上船。两台起重机因为风停了下来，第三台一直装木材到中午。
货物：四十箱灯，十二桶油，三盒地图。所有文件都已经签字，船已经出海了。
`;

export const chineseOfTaiwan = `港口日誌，星期二。
領港員六點上船。兩台起重機因為風停了下來，第三台一直裝木材到中午。
貨物：四十箱燈，十二桶油，三盒地圖。所有文件都已經簽字，船已經出海了。
`;

export const korean = `항구 일지, 화요일.
도선사는 여섯 시에 배에 올랐다. 두 대의 기중기는 바람 때문에 멈췄고, 세 번째 기중기는 정오까지 목재를 실었다.
화물은 등잔 마흔 상자, 기름 열두 통, 지도 세 상자이다. 모든 서류에 서명했고 배는 바다로 나갔다.
`;
