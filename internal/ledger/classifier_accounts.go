package ledger

// modelAccounts are accounts of the model chart for profit-seeking companies, by code. VMI's classifier of ledger accounts No. 1 is
// drawn up from that chart (order VAS-15 of the Audit and Accounting Authority of 13 April 2015) with further accounts for "other",
// whose codes we have not read. Source: annex 2, point 6.1 of the SAF-T description in force from 1 November 2020, as quoted at
// https://gidas.rivile.lt/i_mas/duk/duk_005. Only what templateClassifier names stands here.
var modelAccounts = map[string]string{
	"1110":  "Plėtros darbų atlikimo savikaina",
	"1118":  "Plėtros darbų vertės amortizacija",
	"1120":  "Prestižo įsigijimo savikaina",
	"1130":  "Programinės įrangos įsigijimo savikaina",
	"1138":  "Programinės įrangos vertės amortizacija",
	"1140":  "Koncesijų, patentų, licencijų, prekių ženklų ir panašių teisių įsigijimo savikaina",
	"1148":  "Koncesijų, patentų, licencijų, prekių ženklų ir panašių teisių vertės amortizacija",
	"1200":  "Žemės įsigijimo savikaina",
	"1210":  "Pastatų ir statinių įsigijimo savikaina",
	"1217":  "Pastatų ir statinių įsigijimo savikainos nusidėvėjimas",
	"1219":  "Pastatų ir statinių vertės sumažėjimas",
	"1220":  "Mašinų ir įrangos įsigijimo savikaina",
	"1227":  "Mašinų ir įrangos įsigijimo savikainos nusidėvėjimas",
	"1229":  "Mašinų ir įrangos vertės sumažėjimas",
	"1230":  "Transporto priemonių įsigijimo savikaina",
	"1237":  "Transporto priemonių įsigijimo savikainos nusidėvėjimas",
	"1239":  "Transporto priemonių vertės sumažėjimas",
	"1240":  "Kitų įrenginių, prietaisų ir įrankių įsigijimo savikaina",
	"1247":  "Kitų įrenginių, prietaisų ir įrankių įsigijimo savikainos nusidėvėjimas",
	"1249":  "Kitų įrenginių, prietaisų ir įrankių vertės sumažėjimas",
	"126":   "Sumokėti avansai ir vykdomi materialiojo turto statybos (gamybos) darbai",
	"1660":  "Kitų įmonių nuosavybės vertybiniai popieriai",
	"167":   "Po vienų metų gautinos sumos",
	"171":   "Atidėtojo pelno mokesčio turtas",
	"2010":  "Žaliavų, medžiagų ir komplektavimo detalių įsigijimo savikaina",
	"202":   "Nebaigta produkcija ir vykdomi darbai",
	"2030":  "Produkcijos savikaina",
	"2040":  "Pirktų prekių, skirtų perparduoti, įsigijimo savikaina",
	"2049":  "Pirktų prekių, skirtų perparduoti, vertės sumažėjimas",
	"2080":  "Sumokėti avansai tiekėjams",
	"2410":  "Pirkėjų skolų vertė",
	"2419":  "Pirkėjų skolų vertės sumažėjimas",
	"2441":  "Gautinas pridėtinės vertės mokestis",
	"2443":  "Mokesčių permokos",
	"2445":  "Iš atskaitingų asmenų gautinos sumos",
	"2446":  "Kitos gautinos skolos",
	"262":   "Kitos investicijos",
	"271":   "Sąskaitos bankuose",
	"272":   "Kasa",
	"273":   "Pinigai kelyje",
	"291":   "Ateinančių laikotarpių sąnaudos",
	"292":   "Sukauptos pajamos",
	"301":   "Įstatinis pasirašytasis kapitalas",
	"302":   "Pasirašytasis neapmokėtas kapitalas",
	"31":    "Akcijų priedai",
	"331":   "Privalomasis arba atsargos (rezervinis) kapitalas",
	"333":   "Kiti rezervai",
	"341":   "Ataskaitinių metų nepaskirstytasis pelnas (nuostoliai)",
	"342":   "Ankstesnių metų nepaskirstytasis pelnas (nuostoliai)",
	"390":   "Bendra sąskaitų suvestinė",
	"41":    "Atidėjiniai",
	"4211":  "Lizingo (finansinės nuomos) ar panašūs įsipareigojimai",
	"4220":  "Ilgalaikiai įsipareigojimai pagal paskolų sutartis",
	"4410":  "Įsipareigojimai pagal trumpalaikių paskolų sutartis",
	"442":   "Gauti avansai",
	"4430":  "Skolos tiekėjams už prekes ir paslaugas",
	"4470":  "Pelno mokesčio įsipareigojimai",
	"4480":  "Mokėtinas darbo užmokestis",
	"4481":  "Mokėtinas gyventojų pajamų mokestis",
	"4482":  "Mokėtinos socialinio draudimo įmokos",
	"4485":  "Atostoginių kaupiniai",
	"4490":  "Mokėtini dividendai",
	"4492":  "Mokėtinas pridėtinės vertės mokestis",
	"4493":  "Kiti į biudžetą mokėtini mokesčiai",
	"4494":  "Kitos mokėtinos sumos",
	"491":   "Sukauptos sąnaudos",
	"492":   "Ateinančių laikotarpių pajamos",
	"5000":  "Parduotų prekių pajamos",
	"5001":  "Suteiktų paslaugų pajamos",
	"509":   "Nuolaidos, grąžinimas",
	"5400":  "Ilgalaikio turto perleidimo pelnas",
	"5401":  "Kitos pajamos",
	"5802":  "Kitų suteiktų paskolų palūkanų pajamos",
	"5803":  "Teigiama valiutų kursų pokyčio įtaka",
	"5804":  "Baudų ir delspinigių pajamos",
	"6000":  "Parduotų prekių savikaina",
	"6001":  "Suteiktų paslaugų savikaina",
	"6202":  "Paslaugų ir prekių reklamos sąnaudos",
	"6208":  "Kitos pardavimo sąnaudos",
	"6300":  "Nuomos sąnaudos",
	"6304":  "Darbuotojų darbo užmokestis ir su juo susijusios sąnaudos",
	"6306":  "Ilgalaikio materialiojo turto vertės nusidėvėjimo sąnaudos",
	"6308":  "Veiklos mokesčių sąnaudos",
	"63081": "Neatskaitomo pridėtinės vertės mokesčio sąnaudos",
	"6309":  "Turto vertės sumažėjimo sąnaudos",
	"6312":  "Kitos bendrosios ir administracinės sąnaudos",
	"6400":  "Ilgalaikio turto perleidimo nuostoliai",
	"6401":  "Kitos sąnaudos",
	"6802":  "Kitų įmonių suteiktų paskolų palūkanų sąnaudos",
	"6803":  "Neigiama valiutų kursų pokyčio įtaka",
	"6804":  "Baudų ir delspinigių sąnaudos",
	"6900":  "Ataskaitinių metų pelno ir panašūs mokesčiai",
}

// templateClassifier says which account of the classifier each account of the template is compared with. VMI leaves the comparison to
// the company: the account that fits most exactly, else the closest. Where the template has one account for several of the classifier,
// it is their common group.
var templateClassifier = map[string]string{
	"1110": "1110",  // Plėtros darbai
	"1118": "1118",  // Plėtros darbų amortizacija
	"1120": "1120",  // Prestižas
	"1130": "1130",  // Programinė įranga
	"1138": "1138",  // Programinės įrangos amortizacija
	"1140": "1140",  // Patentai, licencijos ir kitas nematerialusis turtas
	"1148": "1148",  // Patentų, licencijų ir kito nematerialiojo turto amortizacija
	"1200": "1200",  // Žemė
	"1210": "1210",  // Pastatai ir statiniai
	"1217": "1217",  // Pastatų ir statinių nusidėvėjimas
	"1219": "1219",  // Pastatų ir statinių vertės sumažėjimas
	"1220": "1220",  // Mašinos ir įranga
	"1227": "1227",  // Mašinų ir įrangos nusidėvėjimas
	"1229": "1229",  // Mašinų ir įrangos vertės sumažėjimas
	"1230": "1230",  // Transporto priemonės
	"1237": "1237",  // Transporto priemonių nusidėvėjimas
	"1239": "1239",  // Transporto priemonių vertės sumažėjimas
	"1240": "1240",  // Kita įranga, prietaisai ir įrankiai
	"1247": "1247",  // Kitos įrangos, prietaisų ir įrankių nusidėvėjimas
	"1249": "1249",  // Kitos įrangos, prietaisų ir įrankių vertės sumažėjimas
	"1260": "126",   // Nebaigta statyba ir sumokėti avansai
	"1610": "1660",  // Investicijos į kitas įmones
	"1630": "167",   // Po vienų metų gautinos sumos
	"1650": "171",   // Atidėtojo pelno mokesčio turtas
	"2010": "2010",  // Žaliavos ir medžiagos
	"2020": "202",   // Nebaigta produkcija ir vykdomi darbai
	"2030": "2030",  // Pagaminta produkcija
	"2040": "2040",  // Prekės, skirtos perparduoti
	"2049": "2049",  // Prekių vertės sumažėjimas
	"2080": "2080",  // Sumokėti avansai tiekėjams
	"2410": "2410",  // Pirkėjų skolos
	"2419": "2419",  // Abejotinos pirkėjų skolos
	"2430": "2445",  // Atskaitingų asmenų skolos
	"2441": "2441",  // Gautinas pridėtinės vertės mokestis
	"2442": "2443",  // Biudžeto skola įmonei
	"2450": "292",   // Sukauptos pajamos
	"2480": "2446",  // Kitos gautinos sumos
	"2620": "262",   // Terminuotieji indėliai ir kitos trumpalaikės investicijos
	"2710": "271",   // Pinigai bankuose
	"2720": "272",   // Pinigai kasoje
	"2770": "273",   // Pinigai kelyje
	"2910": "291",   // Ateinančių laikotarpių sąnaudos
	"3011": "301",   // Pasirašytasis (įstatinis) kapitalas
	"3012": "302",   // Pasirašytasis neapmokėtas kapitalas
	"3020": "31",    // Akcijų priedai
	"3210": "331",   // Privalomasis rezervas
	"3230": "333",   // Kiti rezervai
	"3410": "341",   // Ataskaitinių metų pelnas (nuostoliai)
	"3420": "342",   // Ankstesnių metų pelnas (nuostoliai)
	"3900": "390",   // Pajamų ir sąnaudų suvestinė
	"4110": "41",    // Atidėjiniai
	"4210": "4220",  // Ilgalaikės skolos kredito įstaigoms
	"4220": "4211",  // Ilgalaikiai lizingo įsipareigojimai
	"4400": "4410",  // Trumpalaikės skolos kredito įstaigoms
	"4420": "442",   // Gauti avansai
	"4430": "4430",  // Skolos tiekėjams
	"4431": "4494",  // Skolos prekyvietės pardavėjams
	"4460": "4494",  // Pirkėjams grąžintinos sumos
	"4470": "4470",  // Mokėtinas pelno mokestis
	"4480": "4480",  // Mokėtinas darbo užmokestis
	"4481": "4481",  // Mokėtinas gyventojų pajamų mokestis
	"4482": "4482",  // Mokėtinos socialinio draudimo įmokos
	"4484": "4485",  // Atostogų kaupiniai
	"4492": "4492",  // Mokėtinas pridėtinės vertės mokestis
	"4493": "4493",  // Kiti mokėtini mokesčiai
	"4495": "4494",  // Skolos atskaitingiems asmenims
	"4496": "4490",  // Mokėtini dividendai
	"4498": "4494",  // Kitos mokėtinos sumos
	"4499": "4494",  // Neišaiškintos sumos
	"4900": "491",   // Sukauptos sąnaudos
	"4910": "492",   // Ateinančių laikotarpių pajamos
	"5000": "5000",  // Parduotų prekių pajamos
	"5001": "5001",  // Suteiktų paslaugų pajamos
	"5002": "5001",  // Komisinių pajamos
	"5090": "509",   // Nuolaidos ir grąžinimai
	"5400": "5400",  // Ilgalaikio turto perleidimo pelnas
	"5490": "5401",  // Kitos veiklos pajamos
	"5800": "5803",  // Teigiama valiutų kursų pokyčio įtaka
	"5801": "5802",  // Palūkanų pajamos
	"5802": "5804",  // Gauti delspinigiai ir baudos
	"6000": "6000",  // Parduotų prekių savikaina
	"6001": "6001",  // Suteiktų paslaugų savikaina
	"6100": "6208",  // Pardavimo sąnaudos
	"6101": "6202",  // Reklamos ir rinkodaros sąnaudos
	"6102": "6208",  // Pristatymo ir transporto sąnaudos
	"6104": "6208",  // Mokėjimų ir prekyviečių mokesčiai
	"6200": "6401",  // Kitos veiklos sąnaudos
	"6201": "6400",  // Ilgalaikio turto perleidimo nuostoliai
	"6300": "6312",  // Bendrosios ir administracinės sąnaudos
	"6301": "6300",  // Nuomos ir komunalinių paslaugų sąnaudos
	"6302": "6312",  // Biuro ir ryšių sąnaudos
	"6303": "6312",  // Profesinių paslaugų sąnaudos
	"6304": "6304",  // Darbo užmokesčio sąnaudos
	"6305": "6304",  // Socialinio draudimo sąnaudos
	"6306": "6312",  // Banko paslaugų sąnaudos
	"6307": "6308",  // Veiklos mokesčių sąnaudos
	"6308": "6312",  // Komandiruočių sąnaudos
	"6309": "6312",  // Reprezentacinės sąnaudos
	"6310": "6306",  // Ilgalaikio turto nusidėvėjimas ir amortizacija
	"6311": "6309",  // Turto vertės sumažėjimo ir abejotinų skolų sąnaudos
	"6320": "63081", // Neatskaitomas pridėtinės vertės mokestis
	"6390": "6312",  // Apvalinimo skirtumai
	"6800": "6803",  // Neigiama valiutų kursų pokyčio įtaka
	"6801": "6802",  // Palūkanų sąnaudos
	"6802": "6804",  // Delspinigių ir baudų sąnaudos
	"6900": "6900",  // Pelno mokesčio sąnaudos
}
