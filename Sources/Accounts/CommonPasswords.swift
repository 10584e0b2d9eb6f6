// SPDX-License-Identifier: Apache-2.0
//
// The words come from the list of passwords in zxcvbn, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., under the MIT license;
// see packaging/copyright.

/// The 3,000 commonest passwords of at least eight characters, and 300 shorter ones, in lower case. People choose them most often, and
/// so guesses begin with them.
enum CommonPasswords {
    static let words = Set(text.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0a }).map { Array($0) })

    private static let text = """
        !qaz2wsx 0.0.0.000 000000 0000000000o 007007 01011900 01011910 01011950 01011960 01011961 01011970 01011971 01011972 01011973 01011974
        01011975 01011976 01011977 01011978 01011979 01011980 01011981 01011982 01011983 01011984 01011985 01011986 01011987 01011988 01011989
        01011990 01011991 01011992 01011993 01011994 01011995 01011999 01012000 01012001 01012010 01012011 01020304 0102030405 01021990 01031985
        01031988 01031989 01041985 01041988 01061986 01061990 01071986 01081989 01091987 01091989 01121986 01121988 01478520 0192837465 02011971
        02011975 02011980 02011981 02011982 02011983 02011984 02011985 02011986 02011987 02011988 02011989 02021971 02021973 02021976 02021979
        02021981 02021982 02021983 02021984 02021985 02021986 02021987 02021988 02021989 02021990 02031970 02031973 02031974 02031975 02031977
        02031978 02031979 02031980 02031981 02031982 02031984 02031985 02031986 02031987 02031988 02031989 02041972 02041973 02041974 02041975
        02041976 02041977 02041978 02041979 02041980 02041981 02041982 02041983 02041984 02041985 02041986 02041987 02041988 02041989 02051970
        02051972 02051973 02051975 02051976 02051977 02051978 02051980 02051981 02051982 02051983 02051984 02051985 02051986 02051987 02051988
        02051989 02061971 02061972 02061974 02061976 02061977 02061980 02061982 02061983 02061984 02061985 02061986 02061987 02061988 02061989
        02071971 02071975 02071976 02071978 02071979 02071980 02071981 02071982 02071983 02071984 02071986 02071987 02071988 02071989 02081970
        02081973 02081974 02081976 02081977 02081980 02081982 02081983 02081984 02081985 02081986 02081987 02081988 02081989 02091971 02091973
        02091975 02091976 02091977 02091980 02091981 02091983 02091984 02091985 02091986 02091987 02091989 02101973 02101976 02101977 02101979
        02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 03031986 03041986 03041991 03082006 04041988 04041991 05051985
        05051987 05051989 06061986 07071977 07071987 07091990 08031985 08031986 08051990 08081988 08121986 085tzzqi 09051945 0987654321q 0o9i8u7y
        10011986 10011990 10031988 10051987 10071987 10101986 10101990 102030 10203040 1020304050 10293847 1029384756 11001001 11051987 11051990
        11061985 11081989 111111 11111111 11112222 1111qqqq 11121986 11122233 111222333 112233 11223344 1122334455 112233445566 11235813 1123581321
        12011987 12021988 12031985 12031987 12051988 12121985 12121990 12131415 1213141516 123123 12312312 1232323q 123321 123321123 12340987
        12344321 1234509876 12345123 123454321 1234554321 123456 12345612 123456123 12345654321 123456654321 1234567 12345677 12345678 123456789
        1234567890 12345678900 1234567890a 1234567890q 1234567890z 1234567891 12345678910 123456789123 1234567899 123456789987654321 123456789a
        123456789d 123456789k 123456789l 123456789m 123456789o 123456789p 123456789q 123456789qwe 123456789r 123456789s 123456789v 123456789z
        12345678a 12345678q 12345679 1234567a 1234567aa 1234567q 12345687 123456987 123456a 123456aa 123456ab 123456abc 123456as 123456asd 123456q
        123456qq 123456qqq 123456qw 123456qwe 123456qwerty 123456ru 12345a 12345abc 12345asd 12345qaz 12345qwe 12345qwer 12345qwert 12345qwerty
        12348765 12349876 1234abcd 1234asdf 1234kekc 1234qwer 1234rewq 1234zxcv 123581321 123654 12365478 123654789 12369874 123698741 123698745
        123789456 123abc 123hfjdk147 123masha 123mudar 123qq123 123qwe 123qwe123 123qwe456 123qweas 123qweasd 123qweasdzxc 123qwert 123qwerty
        12locked 12qw12qw 12qw34er 12qwaszx 12qwerty 12s3t4p55 13021990 13031987 13041987 13041988 13061986 13121985 131313 13243546 13245768
        134679852 1357908642 135792468 1357924680 135798642 14021985 14021986 14061991 14111986 14725836 147258369 14785236 147852369 14789632
        147896321 147896325 14881488 15011987 15021985 15051981 15051990 15101986 15426378 159357 159753 159753456 16051987 16051989 16121987
        17011987 17051988 17061988 17171717aa 18011987 18061990 18091985 18121812 18273645 18436572 19061987 19101987 19283746 192837465 19411945
        1a2a3a4a 1a2b3c4d 1a2b3c4d5e 1a2s3d4f 1a2s3d4f5g 1basebal 1hxboqg2 1letmein 1michael 1million 1mustang 1passwor 1password 1q2q3q4q 1q2w3e4r
        1q2w3e4r5 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw2 1qazxsw23edc 1qazzaq1 1qw23er4 1x2zkg8w 1z2x3c4v
        1z2x3c4v5b 20031987 20051988 20061988 20091988 20091991 20111986 20spanks 21011989 21031987 21031988 21031990 21051988 21051991 21101986
        22011988 22021986 22021989 22031984 22041987 22041988 22061941 22071986 22334455 22446688 23021986 23041987 23skidoo 24011985 24061986
        24111989 24681012 25031987 25041988 25081988 25091987 25121987 25800852 25802580 26031988 26061987 27061988 27731828 28011987 28021990
        28021992 28041987 29011985 29051989 29071983 2wsx3edc 30031988 30041986 30051985 31011987 31415926 315475 321654987 369258147 369852147
        3edc4rfv 3rjs1la7qe 43046721 44332211 44magnum 45m2do5bs 4815162342 4rfv3edc 50spanks 55bgates 5hsu75kpot 5tgb6yhn 5wr2i7h8 654321 66613666
        666666 67camaro 69213124 696969 69camaro 73501505 74108520 74123698 741258963 741852963 74227422 7777777 7777777a 789456 78945612 789456123
        7894561230 78963214 789632145 789654123 7ugd5hip2j 8675309 890098890 8j4ye3uz 8phrowz622 911turbo 918273645 9293709b13 963258741 963852741
        987456321 987654321a 987654321q 99762000 a1234567 a12345678 a123456789 a123456a a1a2a3a4 a1a2a3a4a5 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 a1s2d3f4g5
        aa123456 aaaa1111 aardvark abc123 abc12345 abc123456 abcd1234 abcdefg1 aberdeen abnormal abracadabra abrakadabra acapulco access access14
        access99 account1 achilles acidburn adgjmptw adidas admin123 adrenalin adventur aerosmit aerosmith agent007 airborne airforce airplane
        alabama1 albatros alcatraz alejandr aleksander aleksandr aleksandra alessand alessandro alex1234 alexande alexander1 alexandr alexandre
        alexandru alexis alfarome algernon aligator alkaline allblack alleycat alligator allison1 allnight allstate alpha123 alphabet alphaman
        alterego amarillo amateurs ambrosia america america1 amethyst amoremio amsterda amsterdam anaconda anakonda anastasi anastasiya andrey
        andromed andromeda andyod22 angel123 angel666 angelito angels anhyeuem animal anna2614 antelope anthony1 anthony2 anthony7 antigone antonio1
        aolsucks apollo apollo11 apollo13 apple123 applepie apples aquafina aquarius arabella arcangel archange archangel architec argentin arizona1
        armageddon armagedon armstron arsenal arsenal1 as123456 asd12345 asdasd asdasd123 asdf1234 asdfasdf asdffdsa asdfg123 asdfg12345 asdfgh
        asdfgh01 asdfghjk asdfghjkl asdfjkl; asdfqwer asdfzxcv asdqwe123 asmodeus aspirine assassin assassins asshole asshole1 assholes asslover
        assmunch astalavista astonvil atlanta1 atlantis atreides augustin austin austin31 austin316 australi avalanch avalanche avangard awesome1
        azerty azertyui azertyuiop azsxdcfv babemagn babemagnet baberuth babushka babybear babyblue babycake babydoll babyface babygirl babylon5
        babylove backbone backdoor badabing badboy badkarma badnaamhere bajingan balloons ballsack baltimor banana bandit baracuda barbados barbara1
        barcelon barcelona barefeet barefoot baritone barney barracud barracuda barselona basebal1 baseball baseball1 basketba basketbal batman
        batman12 baywatch bcfields beachbum bearcats beatles beatles1 beautifu beaver beavis beckham7 beefcake beethove bellagio bendover benessere
        bergkamp bernhard bettyboo bettyboop bigballs bigblack bigblock bigboobs bigbooty bigboy bigbucks bigbutts bigdaddy bigdick bigdick1 bigdicks
        bigdog bigmoney bignasty bigpenis bigpoppa bigpussy bigtits bigtruck billabon billabong billybob billyboy binladen biohazard bionicle birdie
        birthday4 bisexual bismarck bismilla bismillah bitchass biteme black123 blackass blackbel blackbelt blackberry blackbir blackbird blackboy
        blackcat blackcoc blackcock blackdog blackhaw blackhawk blackice blackjac blackjack blacklab blackops blackout blahblah blaster1 blazer
        blessed1 blessing blink182 blizzard blondie1 blondinka bloopers blowfish blowjob blowme blue1234 blueball bluebell blueberr bluebird blueeyes
        bluefish bluejays bluemoon bluenose bluesman bluestar bobafett bobdylan bobmarle bobmarley bollocks bond007 bonehead bonethug booboo boogaloo
        booger bookcase bookworm boomboom boomer borabora bordeaux boris123 borussia boston bradley1 brandon1 brandy bravehea braveheart braves
        brighton bronco broncos broncos1 brooklyn brother1 browndog brucelee bruno123 bubba123 bubblegum bubbles bubbles1 buckeye1 buckeyes buckshot
        buckwhea budapest buddy123 buddyboy buddydog budlight budweise budweiser buffalo buffalo1 bugsbunn bukowski bulldawg bulldog bulldog1
        bulldogs bullfrog bullseye bullshit bullwink bunghole buratino businessbabe buster buster12 butter buttercu buttercup butterfl butterfly
        buttfuck butthead butthole bynthytn c3por2d2 cabernet cadillac calamity caliente californ caligula calimero callisto callofduty camaro
        camaross cambiami cambridg camelot1 cameltoe cameron cameron1 canada candyass candyman cannabis cannibal cannonda cantona7 capetown capital1
        capitals capoeira capricor capricorn capslock captain captain1 cardinal care1839 carebear carlitos carnival carolina carpedie carpediem
        carpente cartman cartman1 cartoons casablanca casanova caseydog cashflow cashmone cashmoney casper cassandr cassie catdaddy catfight catherin
        catwoman cavalier cbr600rr cbr900rr cdtnkfyf celtic cerberus cezer121 cfitymrf chainsaw challeng champion changeme chargers charisma charles1
        charlie charlie1 charlie123 charlie2 charlott charlton checkers checkmat cheerleaers cheese chelsea chelsea1 cherokee cherries cherry
        cheshire chester chester1 chevelle chevrole chevrolet chevys10 chewbacc cheyanne cheyenne chicago chicago1 chicken chicken1 chickens
        chickenwing101 chipmunk chipper1 chocolat choochoo chopper1 choppers chris123 chrisbln chrissy1 christia christin christma christop
        christophe chrysler chuckles churchil cinnamon citibank civilwar cjkysirj clarinet classics claudia1 claymore cleopatr clevelan clippers
        clitoris close-up cnfybckfd cobra427 cocacola cocksuck cocksucker coffee coldbeer coldplay colombia colorado colossus coltrane comanche
        comicbookdb commande commando compaq computer computer1 concorde concrete consumer contortionist control1 cookie cooldude coolgirl coolhand
        coolness copenhag copper corleone cornhole corvet07 corvette costaric cosworth coventry cowboy cowboys cowboys1 cowboyup crazybab crazyman
        creampie creative creepers crescent cricket cricket1 crjhgbjy crocodil crusader crystal1 cucumber culinary cutiepie cvbhyjdf cxfcnkbdfz
        cybersex cyclones cygnusx1 cynthia1 daedalus dagobert daisydog dakota dallas dallas22 dangerou daniel12 dannyboy daredevi daredevil darkange
        darkangel darklord darkness darkside darkstar darthvad darthvader david123 davidoff daydream dbrnjhbz deadhead deadpool deadspin death666
        deathnote deathrow deborah1 deepblue deepthro deepthroat deerhunt deeznuts deeznutz defender deftones delpiero demon666 derparol designer
        desperado destiny destiny1 detectiv detroit1 deutschland devil666 devildog devilman devilmaycry dexter dfcbkbcf dfktynby dfktynbyf
        dhjnvytyjub diablo diamante diamond diamond1 diamonds dickhead dickweed dietcoke digital digital1 dilbert1 dilligaf dillweed dima1995
        dingdong dinosaur dipstick dirtbike dirtydog discover dkflbckfd dkflbvbh dkflbvbhjdbx dkflbvbhjdyf doberman doctor dodgeram dodgers1 doggie
        doggydog doggystyle doghouse dogpound dolemite dolphin dolphin1 dolphins domainlock2005 domenico dominika dominion dominiqu donkey dontknow
        doomsday doorknob dortmund doughboy douglas1 downhill dragon dragon01 dragon11 dragon12 dragon123 dragon13 dragon69 dragonba dragonball
        dragonballz dragonfl dragonfly dragrace dragster dreamcas dreamcast dreamer1 dreams driver drjynfrnt dropdead dropkick drowssap drpepper
        drummer1 dthjybrf dtkjcbgtl dtxyjcnm ducati99 duckhunt duracell dutchess dutchman dynamite eagles earnhard earthlin earthlink eastside
        eastwood eatmenow eatpussy eclipse eclipse1 edinburg eggplant eightbal einstein ejaculation ekaterina elbereth elcamino eldiablo eldorado
        electric electron element1 elephant eleven11 elisabet elizabet elizaveta elvis123 embalmer eminem emmitt22 enforcer engineer england1 enigma
        enter123 enternow enterpri enterprise envision erection ericsson escalade escorpio espresso eternity ethernet euphoria evanescence evangeli
        evangelion evergree everlast everques everquest everton1 evildead evolutio excalibu excalibur excellen explorer express1 f00tball f15eagle
        fabienne facefuck failsafe fairlane fakepass falcon falstaff fandango fantasia fantasti fantasy1 fantomas farscape fastball fastcars
        favorite2 favorite6 fearless feathers feelgood fellatio fender ferrari ferrari1 fgtkmcby fhvfutljy fidelity finalfantasy fireball firebird
        fireblad fireblade firefigh firehawk fireman1 firestar firestorm firewall fishbone fishcake fisherma fisherman fishface fishhead fishing
        fishing1 fishtank fivestar fkbyjxrf fktrcfylh fktrcfylhf fktyeirf flamengo flamingo flashman flathead flexible flipflop flipmode flipper1
        florida florida1 flounder flower flowers1 fluffy flvbybcnhfnjh flyers flyers88 football football1 footlove fordf150 fordf250 fordf350
        fordtruc foreplay foreskin forever forever1 forgetit formula1 forsaken foxylady francesc francis1 francisc frank123 frankie1 freckles
        fred1234 freddy frederik freebird freedom freedom1 freedom2 freefall freepass freeporn freeuser freewill freiheit frenchie friday13 friends1
        friendster front242 frontier fruitbat fuck_inside fuckedup fucker fuckface fuckhead fucking fuckinside fuckme fuckme69 fuckmehard fuckoff
        fuckoff1 fuckshit fuckthat fuckthis fuckyeah fuckyou fuckyou1 fuckyou2 fujifilm fullback fullmoon funstuff funtimes fussball futurama
        futyn007 fuzzball fyfcnfcbz fyfnjkbq fynjybyf fyutkbyf fyutkjxtr gabriel1 gabriell galeries gallaries gamecock gamecube gameover gandalf
        gandalf1 gangbang gangbanged gangster ganjaman gannibal garfield gargoyle gateway gateway1 gateway2 gatorade gators gbgbcmrf gbhfvblf
        geibcnbr gemini general1 genesis1 genius georgia1 geraldin germany1 geronimo gesperrt getmoney gfgfvfvf gfhjkm gfhjkm12 gfhjkm123
        gfhjkmgfhjkm ghbdtn ghbdtn123 ghbdtnbr ghbdtndctv ghbdtnrfrltkf ghblehjr ghbywtccf ghhh47hj7649 ghjcnbnenrf ghjcnjgfhjkm ghjcnjnfr ghjdthrf
        ghjnjnbg ghjuhfvvf ghostrider gianluca giants gigabyte ginger ginscoot girfriend giveitup gizmodo1 gladiato gladiator glendale glennwei
        glenwood gn56gn56 gobigred godbless godfathe godfather godsmack godspeed godzilla gogators golden goldeney goldeneye goldfing goldfish
        goldrush goldstar goldwing golfball golfclub golfer goober good123654 goodfell goodgirl goodison goodlife goodluck goodtime goodyear goofball
        gooseman gordon24 gorillaz gotigers gotohell gotyoass grandpri grapeape graywolf greatone greatsex greedisgood green123 greenbay greenday
        greenman greentea gregory1 greyhoun greywolf groupd2013 gsxr1000 gtnhjdbx guardian guesswho guillaum guillerm guinness guitar gulliver gunner
        gymnastic hairball halflife hallo123 hallowee hammer handball handyman hannah hannibal hannover happines happy123 happyday happydog happyman
        hardball hardcock hardcore harddick hardrock hardwood hardwork harley harrypotter hatteras hattrick hawaii50 hawaiian hawkeye1 hawkeyes
        hawkwind hawthorn hayabusa hd764nw5d7e1vb1 headless headshot heather1 heather2 heaven hedgehog heineken heinlein hellfire hello123 hellohel
        hellokitty hellsing hellyeah helpme hercules herewego hermione hernande hershey1 hetfield highbury highheel highland highlander highlife
        hillbill hillside hitman47 hockey hogwarts holiday1 hollywoo holyshit homebrew homemade homepage homer123 hondacbr honeybee honeybun honeydew
        hongkong honolulu hooligan hoosiers hooters hooters1 hornyguy hornyman horseman horsemen horses hotbabes hotchick hotdog hotgirls hotpussy
        hotstuff hounddog housewife housewifes houston1 htubcnhfwbz hugetits hugoboss hulkster hunter hunter12 hurrican huskers1 hyperion ibilltes
        icecream icehouse iceman idontkno idontknow ignatius ihateyou ijrjkflrf ilikepie ilikesex illmatic illusion ilovegod iloveporn ilovepussy
        ilovesex iloveyou iloveyou1 iloveyou2 ilya1234 immortal impalass implants imtheman india123 infiniti infinity insertion insertions insomnia
        inspiron interacial intercourse internet intrepid intruder inuyasha invictus ireland1 irishman ironhors ironmaiden ironman1 islander istanbul
        istheman italiano iverson3 iwantu j3qq4h7h2v jackass jackass1 jackson1 jackson5 jaguar jakester jamaica1 james007 james123 jamesbon jamesbond
        january1 japanees jasmine jasmine1 jason123 jasper jayhawks jbond007 jediknig jeepster jefferso jeffrey1 jellybea jellybean jennifer1
        jessica1 jessica2 jesus123 jesus777 jiggaman johannes johncena johndeer johngalt johnson1 jordan jordan23 josephin joystick junior junkmail
        jupiter1 jupiter2 jurassic just4fun justdoit justice1 justinbieber juventus kakashka kamasutra kamikadze kamikaze kangaroo karolina katarina
        katerina kawasaki kazanova kazantip kcchiefs kcj9wx5n kenneth1 kennwort kenworth kevin123 keyboard keystone kfcnjxrf kickflip kicksass
        kikimora killbill killer killer12 killer123 killzone kingfish kingkong kingston kissmyas kissmyass kitten kittycat kittykat kjrjvjnbd klaster
        kleopatra klondike knickerless knickers knockers knuckles komputer konstantin kordell1 koroleva krasotka kristen1 kristin1 krokodil l58jkdjp!
        labrador lacrimosa lacrosse ladybird laetitia lagwagon lakers lakers24 lakeside lakewood lalakers lambchop lamborghini lancaste lancelot
        landrove lapochka laracroft laserjet lasttime lasvegas lavalamp leavemealone lebowski lebron23 leedsutd left4dead legend lemmings lemonade
        lenochka leonidas lesbians letmein letmein1 letmein2 letmeinn letmesee letsdoit letsfuck letsplay lfitymrf libertad liberty1 lifehack
        lifeisgood lighthou lightnin lightning lilwayne limewire lincoln1 lindsay1 lindsey1 lineage2 lionhear lionheart lionking littlema livelife
        liverpoo liverpool liverpool1 livewire ljxtymrf lockdown lockerroom logitech loglatin lokomotiv lol123 lol12345 lollipop lollypop london
        lonesome lonestar lonewolf longdong longhair longhorn longhorns longjohn longshot losangel losangeles lotus123 love1234 lovehate lovelife
        lovely loveme loveme89 loverboy loverman lovers loveyou2 lowrider lucky123 luckydog luckyone ludacris lunchbox luscious luv2epus macaroni
        macdaddy macgyver machoman macintos macintosh mackenzi madagaskar madala11 maddison maddog madison madison1 madonna1 magellan maggie magic123
        magician magicman magnum mahalkita mailcreated5240 majestic makaveli makeitso maksimka mallorca mallrats mamacita mamapapa mamochka manager1
        manchest manchester mandarin mandingo mandolin mandrake manhatta mannheim manunited maradona marajade marathon marauder marcello marcius2
        margarit marijuan marijuana marina marine mariners marines1 marino13 mariposa marishka marketin marlboro marseill marseille maryjane masamune
        maserati mash4077 master master12 master123 masterbaiting masterbate masterbating masterkey mastermi mastermind masturbation matchbox matrix
        matthew1 matthias maurizio maurolarastefy maverick maximilian maximus maximus1 maxpayne maxpower maxwell maxwell1 mazafaka mazda323 mazda626
        mazdarx7 meandyou meatball meathead meatloaf mechanic megadeth megapass megatron melanie1 melissa1 meowmeow mephisto mercedes mercury1
        meridian merlin mersedes metallic metallica metallica1 mexico michael1 michael2 michele1 michelle1 michigan mickey microlab microphone
        microsof microsoft midnight mike1234 milamber milhouse milkyway millenium millwall minecraft minimoni minnesot miranda1 mischief misfit99
        misiaczek mississi mistress mobydick modelsne mojojojo molly123 mollydog momsanaladventure monalisa money123 moneyman mongoose monique1
        monkey monkey11 monkey12 monkey123 monkey69 monkeybo monkeyboy monkeyma monkeyman monolith monopoly monster monster1 montana montana1
        montecar montecarlo monterey montgom240 montreal montrose moonbeam moonligh moonlight moonshin moonshine morozova morpheus morrowind mortgage
        morticia mortimer motdepasse mother motherfu motherlode motocros motocross motorcyc motorola mountain mudvayne muffdive muffin multiplelo
        munchkin mushroom music123 musicman mustang mustang1 mustang2 mustang5 mustang6 mustang8 mustang9 mustangs myfriend mynameis mypasswo
        mypassword mysecret myspace1 myxworld nadezhda nancy123 nascar nascar24 nastenka natalie1 natascha natasha natasha1 natedogg nathanie
        naughty1 nautilus navigato navigator navyseal nbuhtyjr ncc1701 ncc1701a ncc1701d ncc1701e ncc74656 nebraska needforspeed nemesis1 nemrac58
        netscape nevermin nevermind nevermor nevermore newcastl neworder newpass1 newpass6 newport1 newproject2004 newstart newyork newyork1 nicetits
        nightmar nightowl nightwin nightwish nikita nineball nineinch nintendo nirvana nirvana1 nissan nocturne nokia123 nokia5130 nokia5230
        nokia5530 nokia5800 nokia6233 nokia6300 nokian73 noname123 nonmembe nopassword normandy nosferatu nostromo notebook nothing1 notredam
        nounours novifarm novikova nthvbyfnjh ntktdbpjh nuttertools nwo4life nygiants nyyankee oblivion obsidian october1 oliver omegared onepiece
        online open1234 opendoor operator optimist optiplex orange outsider overkill overlord p0015123 p0o9i8u7 p455w0rd p4ssw0rd p@ssw0rd pa55w0rd
        pa55word packard1 packers packers1 paintbal paintball pakistan paladin1 pallmall palmtree panasoni panasonic pandora1 panorama pantera
        pantera1 panther panther1 panthers panties panties1 pantyhos pantyhose papabear papamama paperino papillon paradigm paradise paramedi
        paramore parlament parsifal partizan pasadena pass1234 passcode passmast passport passthie passw0rd passwerd passwor1 password password01
        password1 password11 password12 password123 password2 password3 password9 password99 passwords passwort patches1 pathfind pathfinder patrick1
        patriots patrizia patterso pavement pavilion payton34 peaceout peaches peaches1 peanut pearljam peekaboo pegasus1 penetrating penetration
        penguin1 penguins pennstat pennywis penthous pepper pepsi123 peregrin perfect1 pertinant peterbil peternorth peterpan petrovich phaedrus
        phantom phantom1 pharmacy phialpha philippe phillies phoenix phoenix1 phoenix2 pianoman pictuers piercing pimpdadd pimpdaddy pimpster
        pineappl pineapple pinetree pingpong pinkfloy pinkfloyd pinnacle pipeline pippen33 piramida pitchers pizzahut pizzaman plastics platinum
        platypus playball playboy playboy1 playboy2 player playmate playstat playstation playtime plymouth poiuytrewq pokemon pokemon1 pokemon123
        polaroid police polniypizdec0211 pontiac1 poohbear pookie pool6123 poontang poophead popcorn1 porkchop pornking pornographic pornpass
        pornstar porsche porsche1 porsche9 porsche911 portland portugal poseidon power123 powerman preacher precious predator prelude1 presario
        presiden prince princesa princess princess1 princessa princeto pringles priscill private private1 priyanka pufunga7782 pumpkin pumpkin1
        pumpkins punisher punkrock puppydog purple pussy123 pussy4me pussycat pussyeat pussylover pussyman pyramid1 pyramids q1234567 q123456789
        q1q2q3q4 q1q2q3q4q5 q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4r5 qawsedrf qawsedrftg qaz12345 qaz123wsx qazwsx qazwsx12 qazwsx123
        qazwsxed qazwsxedc qazwsxedc1 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxsw qazxsw12 qazxsw123 qazxswedc qq123456 quant4307s qw123456
        qwaszx qwaszx12 qwe123qwe qweasd123 qweasdzx qweasdzxc qweasdzxc123 qwedsazxc qweqwe qwer1234 qwerasdf qwerasdfzxcv qwert123 qwert12345
        qwerty qwerty1 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty13 qwerty77 qwerty777 qwerty78 qwerty99 qwertyu qwertyui
        qwertyuio qwertyuiop r2d2c3p0 r2d2c3po r4e3w2q1 rabbit radiohea radiohead ragnarok raiders raiders1 rainbow rainbow1 rainbow6 rainbows
        raindrop rainyday raistlin rammstei rammstein ramstein ranger rangers rangers1 rapunzel rasputin rastaman raymond1 rb26dett rdfhnbhf
        realmadrid rebbyt34 rebecca1 reckless red123 redalert redbaron reddevil reddwarf redheads redlight redneck1 redskins redsox redstorm redwings
        reloaded remingto renegade rerfhtre revival47 revoluti revolver rfgbnjirf rfhfvtkmrf rfhfylfi rfhlbyfk rfhnjirf rfnthbyf rfntymrf rfvfcenhf
        rhbcnbyf rhfcfdbwf rhfcjnrf rhjrjlbk rhtdtlrj riccardo richard1 rickster riffraff rightnow riverrat riversid rjhjktdf rjirfrgbde rjycnfynby
        rktjgfnhf roadkill roadking roadrunn roadrunner roadster robinhood robotech robotics rocket rockford rockhard rocknrol rocknroll rockstar
        rocky123 rolltide romanova romashka ronaldinho roosters rootbeer rootedit rosebud rosebud1 rosewood rsalinas rt6ytere runescape runner
        rush2112 rushmore russell1 russian7 rustydog saab9000 sabrina1 sailboat salamander salasana saltydog salvator samadams samantha samantha1
        sammy123 sammydog samson samsung samsung1 sandiego sandman1 sandrine sanity72 santacru sapphire sarajevo saratoga sasha123 sasha_007 satan666
        satellit saturn sausages saxophon scarface scheisse schnuffi scirocco scooby scoobydo scoobydoo scooter scooter1 scorpio scorpio1 scorpion
        scorpions scotland scotty scrabble scrapper screamer screwyou seahawks seahorse sealteam seattle1 sebastia sebastie secret security seductive
        segblue2 seinfeld seminole semperfi senators sentinel sephirot sephiroth septembe seraphim serenity sergbest sergey sersolution service1
        sevenof9 sexsex sexsexse sexybabe sexybitch sexygirl sexylady sexymama sfgiants shadow shadow01 shadow12 shamrock shaney14 shannon1 sheepdog
        shelby sherlock shevchenko shinigami shitface shitfuck shithead shotokan showtime shredder sidekick sidewind sierra sigmachi silver silverad
        silverado simpsons singapor sinister sithlord sixtynin sk8ordie skateboard skeeter1 skinhead skipper1 skippy skittles skorpion skydiver
        skywalke skywalker slamdunk slapnuts slapshot slayer slimshad slimshady slipknot slippery slowhand smackdow smackdown smartass smashing
        smeghead smirnoff smirnova smoke420 smokedog smokey smoothie snakeman snapshot sneakers snickers sniper snoopdog snoopdogg snoopy snowball
        snowbird snowboar snowboard snowflak snowflake snowman1 snuggles soccer soccer10 soccer11 soccer12 soccer13 socrates softball softtail
        software sojdlg123aljg sokolova solitude solnishko songbird sonyericsson sonyfuck sonyvaio sooners1 sophie sopranos soso123aljg soulmate
        southpar southpark southpaw southside spaceman spanking spanky sparhawk sparkles sparky spartan1 spartan117 spartans special1 specialk
        spectrum speedy spencer1 spider spiderma spiderman spiderman1 spitfire splatter splinter spongebo spongebob sprinter sprocket squerting
        squirrel srinivas stalker stallion stamford stanislav stanley1 starbuck starbucks starcraf starcraft stardust starfire starfish stargate
        starligh starlight starlite starship start123 startrek starwars starwars1 steelers stephani stephen1 stewart1 stickman stigmata stiletto
        stinger1 stingray stocking stonecol stonecold stonewal stoppedby stranger stratfor strawber strawberry streaming stripper stupid sublime1
        submarin success success1 suckcock suckdick suckit suckmydick summer summer12 summer69 summer99 summertime sundance sunderla sundevil
        sunflowe sunflower sunlight sunnyday sunshine sunshine1 super123 superbow superfly superman superman1 supernov supernova supersonic supersta
        superstar surveyor survivor svetlana swallows sweetass sweetnes sweetness sweetpea swimming swingers swinging swordfis swordfish sydney
        sylveste syncmaster syracuse tacobell taekwondo tailgate takamine talisman tamerlan tampabay tangerin tarheels tazmania teacher1 teamwork
        technics tecumseh teddybea teddybear telephon temppass temptress tenerife tennesse tennis tequiero terminat terminator terrapin terriers
        test1234 testibil testing testing1 testpass thailand thanatos thankyou thebeast theclash thedoors theforce thegreat theman therock therock1
        thesaint thething thetruth thirteen thisisit threesom thuglife thumbnils thumper1 thunder thunder1 thunderb thx1138 tiberian tiberius
        tickling ticklish ticktock tiffany1 tiger123 tigercat tigers tigger timelord timothy1 timoxa94 tinkerbe tinkerbell titanium titleist
        tkbpfdtnf tokiohotel tomahawk tomcat tommyboy tomservo tonyhawk tooltime toonarmy topgun topolino topsecre topsecret toriamos tortoise
        tottenha tottenham toulouse toyota trailers transexual translator traveler treasure treefrog trfnthbyf triangle trinitro trinitron trinity
        trinity1 triplets trojans1 trombone trooper1 trouble trouble1 trousers trucker1 trucking trueblue truelove truffles trumpet1 trustno1
        tryagain tunafish turkey50 turtle twilight ufhvjybz uhbujhbq ultimate ultraman umbrella uncencored underdog undertak undertaker undertow
        unicorn1 universa universi ursitesux username usmarine usmc0311 usuckballz1 utahjazz vacation vagabond valentin valentina valeriya valhalla
        valkyrie valleywa vampire vampire1 vancouve vanessa1 vanguard vanhalen vaseline vasilisa vauxhall vegas123 vendetta verbatim veronika
        verygood vfhbyjxrf vfhnsirf vfhufhbnf vfitymrf vflfufcrfh vfnbkmlf vfntvfnbrf vfpfafrf vfrcbvrf vfvfgfgf vfylfhby victory1 viewsoni viewsonic
        viking vikings1 viktoria viktoriya vincent1 violator violetta vipergts virginie vivitron vjqgfhjkm vkontakte vladimir vladislav vodafone
        volkodav volkswag volkswagen volleyba voodoo voyager voyager1 vqsablpzla vsjasnel12 wachtwoord waffenss wanderer wapapapa warcraft warcraft3
        wareagle warhamme warhammer warrior warrior1 warriors washingt waterboy waterfal waterloo watermelon waterpolo waterski wdtnjxtr weare138
        webhompas webmaste webmaster websol76 websolutions wednesda welcome welcome1 welcome2 wellhung wellingt werewolf westside westwood wetpussy
        wg8e3wjf whatever whiplash whiskers whistler whiteboy whiteout whitesox whocares whoknows wildbill wildcard wildcats wildfire wildwood
        william1 william2 willow winchest windmill windows1 windsurf wingchun wingzero winner winston winston1 winter winter99 wishbone wizard
        wolfgang wolfpack wolverin wolverine wonderboy wonderfu woodland woodstoc woodstock woodwork woofwoof wordpass worldcup wp2003wp wrangler
        wrestlin wrinkle1 wrinkles x72jhhu3z xavier yamaha yamahar1 yamahar6 yankee yankees yankees1 yankees2 yaroslav yeahbaby yellow yesterda
        yfcntymrf yfnfitymrf yjdsqgfhjkm yogibear yorktown yosemite youandme yourmama ytngfhjkz z1x2c3v4 z1x2c3v4b5 zachary1 zanzibar zaq12345
        zaq12wsx zaq1xsw2 zaqwsxcde zaqxswcde zeppelin zerocool zildjian zolushka zxasqw12 zxcasdqwe zxcasdqwe123 zxcv1234 zxcvasdf zxcvb123
        zxcvb12345 zxcvbn zxcvbnm zxcvbnm1 zxcvbnm123 zxcvvcxz zz8807zpl
        """
}
